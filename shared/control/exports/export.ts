import { z } from 'zod';
import { DAY_MS } from '../../durations.js';
import { isOfAttempt, isReturnable } from '../aggregates/attempts.js';
import { unknownWebsite } from '../aggregates/website.js';
import { commandKind, type DecisionResult, refuse } from '../domain/command.js';
import { type EventKind, nextEvent } from '../domain/event.js';
import type { Export } from '../domain/model.js';
import { type ControlState, isOpenExport as open } from '../domain/state.js';
import {
  exportCancelled,
  exportCompleted,
  exportExpired,
  exportFailed,
  exportFile,
  exportRequested,
  exportReturned,
  exportStarted,
} from './export-events.js';
import { SEO_REPORT } from './report-period.js';
import { takeReport } from './report-quota.js';

/**
 * Files that the jobs service makes of a website's data (spec §2.7, §3.1). All of a website are one aggregate: how many there are is decided
 * with each, and one version a website stays in memory for ever.
 */

/** After its completion the file can be fetched for so long (spec §2.7, §8); then it goes, and its record with it. */
export const EXPORT_KEPT_MS = 7 * DAY_MS;
/** Of a website, that wait or are being made. */
export const MOST_OPEN_EXPORTS = 50;
/** Of a website, and of an organisation: they stand in the state of every service, with up to 10 KB each. A script that asks for two each hour stays below. */
const MOST_EXPORTS = 500;
const MOST_EXPORTS_OF_ORGANISATION = 1_000;

function keptOf(state: ControlState, organisationId: string): Export[] {
  return state.websites
    .by('organisationId', organisationId)
    .flatMap(({ id }) => [...state.exports.by('websiteId', id)]);
}

/** Of the files that an organisation keeps. */
export function keptBytesOf(state: ControlState, organisationId: string): number {
  return bytesOf(keptOf(state, organisationId));
}

const bytesOf = (kept: readonly Export[]) => kept.reduce((sum, { file }) => sum + (file?.bytes ?? 0), 0);

/** null: the organisation may have one more. */
function refuseMore(kept: readonly Export[], mostBytes: number) {
  if (kept.length >= MOST_EXPORTS_OF_ORGANISATION)
    return refuse(
      'conflict',
      `the organisation has ${MOST_EXPORTS_OF_ORGANISATION} exports of the last seven days: ask again when the oldest have expired`,
      'too_many_exports',
    );
  const bytes = bytesOf(kept);
  if (bytes < mostBytes) return null;
  const gib = (count: number) => (count / 1024 ** 3).toFixed(1);
  return refuse(
    'conflict',
    `the exports that the organisation keeps have ${gib(bytes)} GiB of at most ${gib(mostBytes)}: ask again when the oldest have expired, seven days after they were made, and take parquet, compression or narrower filters for large ones`,
    'too_many_export_bytes',
  );
}

export const requestExport = commandKind({
  schema: z.strictObject({
    websiteId: z.string(),
    apiKeyId: z.string(),
    userId: z.string().nullable(),
    exportType: z.string().min(1).max(100),
    notify: z.boolean(),
    filters: z.string().max(4_000),
    question: z.string().max(4_000),
    description: z.string().max(2_000),
    /** Bytes of files that the organisation keeps, from which on none is added; absent: no bound. */
    mostKeptBytes: z.int().positive().optional(),
  }),
  decide(state, { websiteId, mostKeptBytes = Number.POSITIVE_INFINITY, ...asked }, context) {
    const website = state.websites.get(websiteId);
    if (website === undefined) return unknownWebsite(websiteId);
    const own = state.exports.by('websiteId', websiteId);
    if (own.filter(open).length >= MOST_OPEN_EXPORTS)
      return refuse(
        'conflict',
        `${MOST_OPEN_EXPORTS} exports of the website wait already: ask again when some are done`,
        'too_many_open_exports',
      );
    if (own.length >= MOST_EXPORTS)
      return refuse(
        'conflict',
        `the website has ${MOST_EXPORTS} exports of the last seven days: ask again when the oldest have expired`,
        'too_many_exports',
      );
    const { organisationId } = website;
    const refusal = refuseMore(keptOf(state, organisationId), mostKeptBytes);
    if (refusal !== null) return refusal;
    // In one decision with the report itself: none is counted that is not made, and none made that is not counted.
    const counted =
      asked.exportType === SEO_REPORT
        ? takeReport.decide(state, { organisationId }, context)
        : { events: [] };
    if ('refusal' in counted) return counted;
    const exportId = `exp_${context.generated.id}`;
    const data = { exportId, websiteId, organisationId, ...asked };
    return {
      events: [nextEvent(state, exportRequested, websiteId, data), ...counted.events],
      answer: (after): Export => after.exports.get(exportId)!,
    };
  },
});

/** What the worker was about to say of an attempt is of no more use: it was cancelled, erased, or is another's. */
const passed = () => refuse('conflict', 'the export has gone on without this attempt');

/** The event, and the export as it is after it. */
function changedExport<Schema extends z.ZodType>(
  state: ControlState,
  kind: EventKind<Schema>,
  websiteId: string,
  data: z.input<Schema> & { readonly exportId: string },
): DecisionResult<Export> {
  const events = [nextEvent(state, kind, websiteId, data)];
  return { events, answer: (after) => after.exports.get(data.exportId)! };
}

/** Begins the next attempt. What a process that died had begun is begun again. */
export const startExport = commandKind({
  schema: z.strictObject({ exportId: z.string(), attemptsBefore: z.int() }),
  decide(state, { exportId, attemptsBefore }): DecisionResult<Export> {
    const held = state.exports.get(exportId);
    if (held === undefined || !open(held) || held.attempts !== attemptsBefore) return passed();
    return changedExport(state, exportStarted, held.websiteId, { exportId, attempt: attemptsBefore + 1 });
  },
});

export const completeExport = commandKind({
  schema: z.strictObject({ exportId: z.string(), attempt: z.int(), file: exportFile }),
  decide(state, { exportId, attempt, file }): DecisionResult<Export> {
    const held = state.exports.get(exportId);
    if (!isOfAttempt(held, attempt)) return passed();
    return changedExport(state, exportCompleted, held.websiteId, { exportId, file });
  },
});

export const failExport = commandKind({
  schema: z.strictObject({
    exportId: z.string(),
    attempt: z.int(),
    reason: z.string().min(1).max(1_000),
    /** ISO 8601; null: it is not tried again. */
    retryAt: z.string().nullable(),
  }),
  decide(state, { exportId, attempt, reason, retryAt }): DecisionResult<Export> {
    const held = state.exports.get(exportId);
    if (!isOfAttempt(held, attempt)) return passed();
    return changedExport(state, exportFailed, held.websiteId, { exportId, reason, retryAt });
  },
});

/** Gives an attempt back that came to nothing through no fault of the export's: it does not count. */
export const returnExport = commandKind({
  schema: z.strictObject({ exportId: z.string(), attempt: z.int().positive() }),
  decide(state, { exportId, attempt }): DecisionResult<Export> {
    const held = state.exports.get(exportId);
    if (held === undefined || !open(held) || !isReturnable(held, attempt)) return passed();
    return changedExport(state, exportReturned, held.websiteId, { exportId, attempt });
  },
});

/** One that is over is left as it is. */
export const cancelExport = commandKind({
  schema: z.strictObject({ exportId: z.string() }),
  decide(state, { exportId }): DecisionResult<Export> {
    const held = state.exports.get(exportId);
    if (held === undefined) return refuse('not_found', `export_id: there is no export "${exportId}"`);
    if (!open(held)) return refuse('conflict', `the export is ${held.status} already`);
    return changedExport(state, exportCancelled, held.websiteId, { exportId });
  },
});

/** Forgets one that is over. Its file is gone by then. */
export const expireExport = commandKind({
  schema: z.strictObject({ exportId: z.string() }),
  decide(state, { exportId }): DecisionResult<{ exportId: string }> {
    const held = state.exports.get(exportId);
    if (held !== undefined && open(held)) return passed();
    return {
      events: held === undefined ? [] : [nextEvent(state, exportExpired, held.websiteId, { exportId })],
      answer: () => ({ exportId }),
    };
  },
});

/** When the file of a completed one, or what is told of one that came to nothing, goes; milliseconds since the epoch. null: it is open. */
export function expiryOf({ completedAt }: Pick<Export, 'completedAt'>): number | null {
  return completedAt === null ? null : Date.parse(completedAt) + EXPORT_KEPT_MS;
}

/** Those of one caller, the newest first: of all keys of a user, or of a key that is nobody's (spec §2.7: the caller's own). */
export function exportsOf(
  state: ControlState,
  websiteId: string,
  caller: { readonly id: string; readonly userId: string | null },
): Export[] {
  return state.exports
    .by('websiteId', websiteId)
    .filter((each) => isOf(each, caller))
    .reverse();
}

/** Whether the export is the caller's own. */
export function isOf(
  { apiKeyId, userId }: Pick<Export, 'apiKeyId' | 'userId'>,
  caller: { readonly id: string; readonly userId: string | null },
): boolean {
  return apiKeyId === caller.id || (userId !== null && userId === caller.userId);
}
