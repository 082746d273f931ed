import { z } from 'zod';
import { commandKind, type Refusal, refuse } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import { type Segment, segmentRuleTypes } from '../domain/model.js';
import { segmentLibrary } from '../domain/segment-library.js';
import type { ControlState } from '../domain/state.js';
import { refuseSegment } from './organisation-room.js';
import { tooCostly } from './segment-limits.js';
import { unknownWebsite } from './website.js';

/**
 * Segments (spec §2.5, §4.7). All segments of a website are one aggregate. If two callers race for the hundredth place,
 * or nest two segments under each other, one is refused.
 */

export const MAX_SEGMENTS = 100;
export const MAX_SEGMENT_RULES = 30;
export const MAX_RULE_LENGTH = 1000;
export const SEGMENT_COLOUR = /^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

const LIST = 'segment_list';

const rule = z.object({ type: z.enum(segmentRuleTypes), value: z.string().min(1).max(MAX_RULE_LENGTH) });

const definition = z.object({
  name: z.string().trim().min(1).max(60),
  rules: z.array(rule).min(1).max(MAX_SEGMENT_RULES),
  excludeRules: z.array(rule).max(MAX_SEGMENT_RULES).default([]),
  colour: z.string().regex(SEGMENT_COLOUR).nullable().default(null),
  parentId: z.string().nullable().default(null),
  notes: z.string().max(2000).nullable().default(null),
  order: z.int().nullable().default(null),
});

export const segmentsAdded = eventKind({
  aggregate: LIST,
  type: 'segments.added',
  schema: z.object({ segments: z.array(definition.extend({ id: z.string() })) }),
  evolve(state, websiteId, { segments }, at) {
    for (const segment of segments)
      state.segments.put({ ...segment, websiteId, createdAt: at, updatedAt: at });
  },
});

export const segmentReplaced = eventKind({
  aggregate: LIST,
  type: 'segment.replaced',
  schema: definition.extend({ segmentId: z.string() }),
  evolve(state, _websiteId, { segmentId, ...fields }, at) {
    state.segments.put({ ...state.segments.get(segmentId)!, ...fields, updatedAt: at });
  },
});

/** Its children move up to its parent. */
export const segmentDeleted = eventKind({
  aggregate: LIST,
  type: 'segment.deleted',
  schema: z.object({ segmentId: z.string() }),
  evolve(state, websiteId, { segmentId }) {
    const { parentId } = state.segments.get(segmentId)!;
    for (const child of state.segments.by('websiteId', websiteId))
      if (child.parentId === segmentId) state.segments.put({ ...child, parentId });
    state.segments.remove(segmentId);
  },
});

/** The segment of this website; undefined if it is unknown or belongs to another website. */
export function findSegment(state: ControlState, websiteId: string, segmentId: string): Segment | undefined {
  const segment = state.segments.get(segmentId);
  return segment?.websiteId === websiteId ? segment : undefined;
}

/** The engine must already have compiled the regexes (services/api/operations/segments/check-regexes.ts). */
export const createSegment = commandKind({
  schema: definition.extend({ websiteId: z.string() }).strict(),
  decide(state, { websiteId, ...fields }, { generated }) {
    const refusal =
      refuseAddition(state, websiteId, 1) ??
      refuseParent(state, websiteId, null, fields.parentId) ??
      refuseCost(fields) ??
      refuseSegment(state, websiteId, fields, null);
    if (refusal !== null) return refusal;
    const id = `seg_${generated.id}`;
    return {
      events: [nextEvent(state, segmentsAdded, websiteId, { segments: [{ id, ...fields }] })],
      answer: (after): Segment => after.segments.get(id)!,
    };
  },
});

export const replaceSegment = commandKind({
  schema: definition.extend({ websiteId: z.string(), segmentId: z.string() }).strict(),
  decide(state, { websiteId, segmentId, ...fields }) {
    const replaced = findSegment(state, websiteId, segmentId);
    if (replaced === undefined) return unknownSegment();
    const refusal =
      refuseParent(state, websiteId, segmentId, fields.parentId) ??
      refuseCost(fields) ??
      refuseSegment(state, websiteId, fields, replaced);
    if (refusal !== null) return refusal;
    return {
      events: [nextEvent(state, segmentReplaced, websiteId, { segmentId, ...fields })],
      answer: (after): Segment => after.segments.get(segmentId)!,
    };
  },
});

export const deleteSegment = commandKind({
  schema: z.strictObject({ websiteId: z.string(), segmentId: z.string() }),
  decide(state, { websiteId, segmentId }) {
    const segment = findSegment(state, websiteId, segmentId);
    if (segment === undefined) return unknownSegment();
    return {
      events: [nextEvent(state, segmentDeleted, websiteId, { segmentId })],
      answer: (): Segment => segment,
    };
  },
});

/** Adds the missing segments of the library, by name and ignoring case; all or nothing. */
export const addSegmentLibrary = commandKind({
  schema: z.strictObject({ websiteId: z.string() }),
  decide(state, { websiteId }, { generated }) {
    const taken = new Set(state.segments.by('websiteId', websiteId).map(({ name }) => name.toLowerCase()));
    const missing = segmentLibrary.filter(({ name }) => !taken.has(name.toLowerCase()));
    const refusal = refuseAddition(state, websiteId, missing.length);
    if (refusal !== null) return refusal;
    const segments = missing.map(({ name, rules }, index) => ({
      id: `seg_${generated.id}${index}`,
      name,
      rules: [...rules],
    }));
    return {
      events: missing.length === 0 ? [] : [nextEvent(state, segmentsAdded, websiteId, { segments })],
      answer: (): { added: string[] } => ({ added: missing.map(({ name }) => name) }),
    };
  },
});

type Refused = { readonly refusal: Refusal };

function refuseAddition(state: ControlState, websiteId: string, count: number): Refused | null {
  if (state.websites.get(websiteId) === undefined) return unknownWebsite(websiteId);
  const held = state.segments.by('websiteId', websiteId).length;
  if (held + count <= MAX_SEGMENTS) return null;
  return refuse(
    'conflict',
    `a website has at most ${MAX_SEGMENTS} segments; this one has ${held}, and ${count} more would be too many`,
  );
}

function refuseCost(rules: Pick<Segment, 'rules' | 'excludeRules'>): Refused | null {
  const problem = tooCostly(rules);
  return problem === null ? null : refuse('invalid_request', problem);
}

/** @param segmentId the segment to be nested; null: a new one, which has no children yet. */
function refuseParent(
  state: ControlState,
  websiteId: string,
  segmentId: string | null,
  parentId: string | null,
): Refused | null {
  if (parentId === null) return null;
  if (findSegment(state, websiteId, parentId) === undefined)
    return refuse('invalid_request', `parent_id: there is no segment "${parentId}" on this website`);
  for (let at: string | null = parentId; at !== null; at = state.segments.get(at)?.parentId ?? null)
    if (at === segmentId)
      return refuse('invalid_request', 'parent_id: the segment would be nested under itself');
  return null;
}

function unknownSegment(): Refused {
  return refuse('not_found', 'Segment not found.');
}
