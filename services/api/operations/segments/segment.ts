import { z } from '@hono/zod-openapi';
import {
  MAX_RULE_LENGTH,
  MAX_SEGMENT_RULES,
  SEGMENT_COLOUR,
} from '../../../../shared/control/aggregates/segment.js';
import { type Segment, type SegmentRule, segmentRuleTypes } from '../../../../shared/control/domain/model.js';
import { instant } from '../../../../shared/reads/answer/instant.js';
import { expectedForm } from './segment-rule-form.js';

/** A segment in requests and answers (spec §2.5). */

const rule = z
  .object({
    type: z.enum(segmentRuleTypes).openapi({
      description:
        'prefix, contains, exact and regex (RE2) match the path. query matches the query string with a leading `&`, so `&page=` matches that parameter at any position. Rules are case-sensitive. A rule can have any spelling of a URL: `/caf%c3%a9` and `/café` are the same path, as in the logs. A regex is matched with the percent-encoded and the decoded path: a space, `%20` and `\\s` all match `/a%20b`. A prefix or an exact path begins with `/`.',
    }),
    value: z.string().min(1).max(MAX_RULE_LENGTH).openapi({ example: '/blog/' }),
  })
  .openapi('SegmentRule');

/** Refuses rules that could never match, and names a form that could. */
function refuseWrongForms(rules: readonly SegmentRule[], issues: z.RefinementCtx): void {
  for (const [index, rule] of rules.entries()) {
    const message = expectedForm(rule);
    if (message !== null) issues.addIssue({ code: 'custom', path: [index, 'value'], message });
  }
}

export const segmentBody = z
  .object({
    name: z.string().trim().min(1).max(60).openapi({ example: 'Blog' }),
    rules: z
      .array(rule)
      .min(1)
      .max(MAX_SEGMENT_RULES)
      .superRefine(refuseWrongForms)
      .openapi({ description: 'A request is in the segment if at least one of these matches …' }),
    exclude_rules: z
      .array(rule)
      .max(MAX_SEGMENT_RULES)
      .superRefine(refuseWrongForms)
      .optional()
      .openapi({ description: '… and none of these matches.' }),
    colour: z
      .string()
      .regex(SEGMENT_COLOUR, 'a colour as #rgb or #rrggbb')
      .nullish()
      .openapi({ example: '#2563eb' }),
    parent_id: z.string().nullish().openapi({
      description: 'Parent segment for display. It does not narrow this segment.',
      example: null,
    }),
    notes: z.string().max(2000).nullish(),
    order: z
      .int()
      .min(-(2 ** 31))
      .max(2 ** 31 - 1)
      .nullish()
      .openapi({ description: 'For display; lower ones first.' }),
  })
  .openapi('SegmentBody');

export const segment = z
  .object({
    segment_id: z.string().openapi({ example: 'seg_5dfba9c466412323c1bdf293' }),
    name: z.string(),
    rules: z.array(rule),
    exclude_rules: z.array(rule),
    colour: z.string().nullable(),
    parent_id: z.string().nullable(),
    notes: z.string().nullable(),
    order: z.int().nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .openapi('Segment');

/** The fields of a command. */
export function fromSegmentBody(body: z.output<typeof segmentBody>) {
  return {
    name: body.name,
    rules: body.rules,
    excludeRules: body.exclude_rules ?? [],
    colour: body.colour ?? null,
    parentId: body.parent_id ?? null,
    notes: body.notes ?? null,
    order: body.order ?? null,
  };
}

export function toSegment(row: Segment): z.input<typeof segment> {
  return {
    segment_id: row.id,
    name: row.name,
    rules: [...row.rules],
    exclude_rules: [...row.excludeRules],
    colour: row.colour,
    parent_id: row.parentId,
    notes: row.notes,
    order: row.order,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

export const segmentPath = z.object({
  segment_id: z
    .string()
    .max(100)
    .openapi({ description: 'Id of a segment of the website.', example: 'seg_5dfba9c466412323c1bdf293' }),
});

export const TAG = 'Segments';
export const NO_SUCH_SEGMENT = 'Segment not found.';
