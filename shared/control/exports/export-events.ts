import { z } from 'zod';
import { type EventKind, eventKind } from '../domain/event.js';
import type { Export } from '../domain/model.js';
import type { WritableState } from '../domain/state.js';

/** Events of an export (export.ts). */

const EXPORTS = 'export_list';

const of = { exportId: z.string() };

export const exportRequested = eventKind({
  aggregate: EXPORTS,
  type: 'export.requested',
  schema: z.object({
    ...of,
    websiteId: z.string(),
    organisationId: z.string(),
    apiKeyId: z.string(),
    /** Owner of the key; null: it has none. */
    userId: z.string().nullable(),
    exportType: z.string(),
    /** Whether the owner is notified by e-mail on completion. */
    notify: z.boolean(),
    /** JSON: the request as the caller sent it. */
    filters: z.string(),
    /** JSON: the resolved request, for the worker that writes the file. */
    question: z.string(),
    /** Shown to people. */
    description: z.string(),
  }),
  evolve(state, _id, { exportId, ...data }, at) {
    state.exports.put({
      id: exportId,
      ...data,
      status: 'pending',
      attempts: 0,
      returned: [],
      createdAt: at,
      startedAt: null,
      notBefore: null,
      completedAt: null,
      file: null,
      error: null,
    });
  },
});

/** A kind of event about an existing export; it does nothing if the export is gone. */
function changeOf<Schema extends z.ZodObject<{ exportId: z.ZodString }>>(
  type: string,
  schema: Schema,
  change: (held: Export, data: z.output<Schema>, at: string) => Export | null,
): EventKind<Schema> {
  return eventKind({
    aggregate: EXPORTS,
    type,
    schema,
    evolve(state: WritableState, _id, data, at) {
      const held = state.exports.get(data.exportId);
      if (held === undefined) return;
      const changed = change(held, data, at);
      if (changed === null) state.exports.remove(held.id);
      else state.exports.put(changed);
    },
  });
}

export const exportStarted = changeOf(
  'export.started',
  z.object({ ...of, attempt: z.int() }),
  (held, { attempt }, at) => ({
    ...held,
    status: 'processing',
    attempts: attempt,
    startedAt: at,
    notBefore: null,
  }),
);

/**
 * A replica returned its attempt, since it lost the website or its process ends. The next owner may already have
 * started another.
 */
export const exportReturned = changeOf(
  'export.returned',
  z.object({ ...of, attempt: z.int() }),
  (held, { attempt }) => ({
    ...held,
    returned: [...held.returned, attempt],
    status: held.attempts === attempt ? 'pending' : held.status,
  }),
);

/** An attempt failed; it is retried at `retryAt`, if set. */
export const exportFailed = changeOf(
  'export.failed',
  z.object({ ...of, reason: z.string(), retryAt: z.string().nullable() }),
  (held, { reason, retryAt }, at) =>
    retryAt === null
      ? { ...held, status: 'failed', error: reason, completedAt: at, notBefore: null }
      : { ...held, status: 'pending', error: null, notBefore: retryAt },
);

export const exportFile = z.object({
  /** Key in the file store. */
  key: z.string(),
  rows: z.int(),
  bytes: z.int(),
  /** Digest of the stored bytes, hexadecimal. */
  sha256: z.string(),
});

export const exportCompleted = changeOf(
  'export.completed',
  z.object({ ...of, file: exportFile }),
  (held, data, at) => ({
    ...held,
    status: 'completed',
    completedAt: at,
    file: data.file,
    notBefore: null,
  }),
);

export const exportCancelled = changeOf('export.cancelled', z.object(of), (held, _data, at) => ({
  ...held,
  status: 'cancelled',
  error: 'It was cancelled.',
  completedAt: at,
  notBefore: null,
}));

/** The export has expired, and its file is deleted. */
export const exportExpired = changeOf('export.expired', z.object(of), () => null);
