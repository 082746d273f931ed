import { z } from '@hono/zod-openapi';
import type { Segment } from '../../../../shared/control/domain/model.js';
import { booleanParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';
import { refuseBadRegexes } from './refuse-bad-regexes.js';
import { segmentBody } from './segment.js';
import { segmentsBreakdown } from './segments-breakdown.js';

/** The id of rules that are not saved. */
const DRAFT = '_draft';
const MOST_DRAFT_CHARACTERS = 5_000;

const draftRules = segmentBody.pick({ rules: true, exclude_rules: true });

const draftParameter = z
  .string()
  .max(MOST_DRAFT_CHARACTERS)
  .optional()
  .transform((text, issues) => {
    if (text === undefined) return undefined;
    const parsed = draftRules.safeParse(parsedJson(text));
    if (parsed.success) return parsed.data;
    const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue];
    issues.addIssue([path.join('.'), message].filter((part) => part !== '').join(': '));
    return z.NEVER;
  })
  .openapi({
    type: 'string',
    description: `Rules that are not saved, as the JSON of \`rules\` and \`exclude_rules\` of a segment. Their figures are those of \`${DRAFT}\`, the last segment. Saved segments are then left out unless \`segments\` names them.`,
    example: '{"rules":[{"type":"prefix","value":"/blog/"}]}',
  });

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const breakdown = windowRead({
  id: 'getSegmentsBreakdown',
  tag: 'Segments',
  path: '/segments-breakdown',
  summary: 'Comparison of segments',
  description:
    'The same figures for every segment and for all requests (`_all`, always first). A request counts in each segment that matches it, so segments may not add up. The figures come from the single requests of the window. Over a long window the answer may have `data_buffering` true; repeat the same call to get the result.',
  window: { defaultHours: 720 },
  parameters: z.object({
    compare: booleanParameter('1 adds the figures of the previous window and the change.'),
    segments: z.string().max(5000).optional().openapi({
      description: 'Comma-separated ids of the segments to show; unknown ones are ignored. Default: all.',
      example: 'seg_4kq9x2,seg_7m1c0p',
    }),
    draft: draftParameter,
  }),
  segment: false,
  raw: true,
  answer: segmentsBreakdown,
  input: ({ compare = false, segments, draft }, { website, services }) => ({
    compare,
    segments: [
      ...(draft === undefined || segments !== undefined
        ? chooseSegments(services.control.state().segments.by('websiteId', website.id), segments).map(
            ({ id, name, rules, excludeRules }) => ({ id, name, rules, excludeRules }),
          )
        : []),
      ...(draft === undefined
        ? []
        : [{ id: DRAFT, name: 'Draft', rules: draft.rules, excludeRules: draft.exclude_rules ?? [] }]),
    ],
  }),
  segmentsOf: ({ segments }) => segments,
});

export const getSegmentsBreakdown: typeof breakdown = {
  ...breakdown,
  async run(given, context) {
    const { draft } = given as { draft?: z.output<typeof draftRules> };
    if (draft !== undefined) await refuseBadRegexes(context.services.reader, draft);
    return breakdown.run(given, context);
  },
};

/** By the owner's order, then by age. */
function chooseSegments(all: readonly Segment[], ids: string | undefined): Segment[] {
  const chosen = (ids ?? '').split(',').flatMap((id) => id.trim() || []);
  const place = ({ order }: Segment) => order ?? Number.MAX_VALUE;
  return all
    .filter(({ id }) => chosen.length === 0 || chosen.includes(id))
    .toSorted((a, b) => place(a) - place(b));
}
