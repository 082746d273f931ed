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
 * Files that the jobs service creates from a website's data (spec §2.7, §3.1). All exports of a website are one
 * aggregate: each decision limits their number, and only one version per website stays in memory.
 */

/**
 * Time after completion in which the file can be downloaded (spec §2.7, §8). Then the file and its record are deleted.
 */
export const EXPORT_KEPT_MS = 7 * DAY_MS;
/** Limit of a website's pending and processing exports. */
export const MOST_OPEN_EXPORTS = 50;
/**
 * Limits per website and per organisation: exports are in the state of every service, with up to 10 KB each. Two
 * requests an hour stay below.
 */
const MOST_EXPORTS = 500;
const MOST_EXPORTS_OF_ORGANISATION = 1_000;

function keptOf(state: ControlState, organisationId: string): Export[] {
  return state.websites
    .by('organisationId', organisationId)
    .flatMap(({ id }) => [...state.exports.by('websiteId', id)]);
}

/** Bytes of an organisation's stored files. */
export function keptBytesOf(state: ControlState, organisationId: string): number {
  return bytesOf(keptOf(state, organisationId));
}

const bytesOf = (kept: readonly Export[]) => kept.reduce((sum, { file }) => sum + (file?.bytes ?? 0), 0);

/** null: the organisation may have one more. */
function refuseMore(kept: readonly Export[], mostBytes: number) {
  if (kept.length >= MOST_EXPORTS_OF_ORGANISATION)
    return refuse(
      'conflict',
      `the organisation has ${MOST_EXPORTS_OF_ORGANISATION} exports of the last seven days: retry when the oldest have expired`,
      'too_many_exports',
    );
  const bytes = bytesOf(kept);
  if (bytes < mostBytes) return null;
  const gib = (count: number) => (count / 1024 ** 3).toFixed(1);
  return refuse(
    'conflict',
    `the stored exports of the organisation have ${gib(bytes)} GiB of at most ${gib(mostBytes)}: retry when the oldest have expired, seven days after their completion. Use parquet, compression or narrower filters for large exports`,
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
    /** Stored bytes of the organisation above which no export is accepted; absent: no bound. */
    mostKeptBytes: z.int().positive().optional(),
  }),
  decide(state, { websiteId, mostKeptBytes = Number.POSITIVE_INFINITY, ...asked }, context) {
    const website = state.websites.get(websiteId);
    if (website === undefined) return unknownWebsite(websiteId);
    const own = state.exports.by('websiteId', websiteId);
    if (own.filter(open).length >= MOST_OPEN_EXPORTS)
      return refuse(
        'conflict',
        `${MOST_OPEN_EXPORTS} exports of the website are already waiting: retry when some have ended`,
        'too_many_open_exports',
      );
    if (own.length >= MOST_EXPORTS)
      return refuse(
        'conflict',
        `the website has ${MOST_EXPORTS} exports of the last seven days: retry when the oldest have expired`,
        'too_many_exports',
      );
    const { organisationId } = website;
    const refusal = refuseMore(keptOf(state, organisationId), mostKeptBytes);
    if (refusal !== null) return refusal;
    // Counted in the same decision as the report itself, so that count and report always agree.
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

/** The worker's report about an attempt is obsolete: the export was cancelled, erased, or belongs to another worker. */
const passed = () => refuse('conflict', 'the export has continued without this attempt');

function changedExport<Schema extends z.ZodType>(
  state: ControlState,
  kind: EventKind<Schema>,
  websiteId: string,
  data: z.input<Schema> & { readonly exportId: string },
): DecisionResult<Export> {
  const events = [nextEvent(state, kind, websiteId, data)];
  return { events, answer: (after) => after.exports.get(data.exportId)! };
}

/** Starts the next attempt. An attempt of a dead process is repeated. */
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
    /** ISO 8601; null: no retry. */
    retryAt: z.string().nullable(),
  }),
  decide(state, { exportId, attempt, reason, retryAt }): DecisionResult<Export> {
    const held = state.exports.get(exportId);
    if (!isOfAttempt(held, attempt)) return passed();
    return changedExport(state, exportFailed, held.websiteId, { exportId, reason, retryAt });
  },
});

/** Returns an attempt that failed for external reasons, so that it does not count. */
export const returnExport = commandKind({
  schema: z.strictObject({ exportId: z.string(), attempt: z.int().positive() }),
  decide(state, { exportId, attempt }): DecisionResult<Export> {
    const held = state.exports.get(exportId);
    if (held === undefined || !open(held) || !isReturnable(held, attempt)) return passed();
    return changedExport(state, exportReturned, held.websiteId, { exportId, attempt });
  },
});

/** Refused if the export has ended. */
export const cancelExport = commandKind({
  schema: z.strictObject({ exportId: z.string() }),
  decide(state, { exportId }): DecisionResult<Export> {
    const held = state.exports.get(exportId);
    if (held === undefined) return refuse('not_found', `export_id: there is no export "${exportId}"`);
    if (!open(held)) return refuse('conflict', `the export is ${held.status} already`);
    return changedExport(state, exportCancelled, held.websiteId, { exportId });
  },
});

/** Removes an ended export, whose file is already deleted. */
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

/**
 * When the file of a completed export, or the record of a failed one, is deleted, milliseconds since the epoch; null:
 * it is open.
 */
export function expiryOf({ completedAt }: Pick<Export, 'completedAt'>): number | null {
  return completedAt === null ? null : Date.parse(completedAt) + EXPORT_KEPT_MS;
}

/**
 * A caller's exports, newest first: of all keys of its user, or of a key without a user (spec §2.7: the caller's own).
 */
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

/** Whether the export belongs to the caller. */
export function isOf(
  { apiKeyId, userId }: Pick<Export, 'apiKeyId' | 'userId'>,
  caller: { readonly id: string; readonly userId: string | null },
): boolean {
  return apiKeyId === caller.id || (userId !== null && userId === caller.userId);
}
