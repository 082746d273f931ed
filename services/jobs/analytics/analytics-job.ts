import { openCredential } from '../../../shared/connections/credential.js';
import {
  insertSourceSync,
  readSourceSync,
  type SourceSync,
} from '../../../shared/connections/source-syncs.js';
import { connectionOf } from '../../../shared/control/aggregates/connection.js';
import type { Connection } from '../../../shared/control/domain/model.js';
import type { ControlState } from '../../../shared/control/domain/state.js';
import type { KeyRing } from '../../../shared/control/sealing/key-ring.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { ANALYTICS_SYNC } from '../../../shared/jobs/job-request.js';
import { ANALYTICS_KIND } from '../../../shared/reads/analytics/analytics-connection.js';
import { readAnalyticsMarks } from '../../../shared/reads/analytics/analytics-sync-marks.js';
import type { Sender } from '../../../shared/reads/analytics/session-senders.js';
import type { Wait } from '../connections/call-source.js';
import { SourceError } from '../connections/source-error.js';
import type { JobDeps, WebsiteJob } from '../runner/website-job.js';
import type { WebAnalytics } from './analytics-source.js';
import { openGoogleAnalytics } from './google-analytics.js';
import { type SyncDeps, type SyncProgress, syncDays } from './sync-days.js';

export interface AnalyticsJobOptions {
  readonly state: () => ControlState;
  /** The keys that open credentials. */
  readonly ring: Pick<KeyRing, 'find'>;
  /** Classifies the sender of a session (shared/reads/analytics/session-senders.ts). */
  readonly senderOf: (source: string, medium: string) => Sender;
  /** The fetch for the service; default: the process's own. */
  readonly fetch?: typeof fetch | undefined;
  readonly wait?: Wait | undefined;
}

/** The limit of a run, minus the longest time of one day with all retries. */
const WORK_MS = 8 * MINUTE_MS;
/** Between two reads of a source whose history is complete. */
const READ_AGAIN_MS = 20 * HOUR_MS;

/**
 * Reads the web analytics of each connected website: once a day, and every hour while the 16 months of history are read in parts.
 * An hour without due work costs no call.
 */
export function analyticsJob(options: AnalyticsJobOptions): WebsiteJob {
  const connectionFor = (websiteId: string) => connectionOf(options.state(), websiteId, ANALYTICS_KIND);
  return {
    name: ANALYTICS_SYNC,
    everyMs: HOUR_MS,
    waitsFor: 'website',
    isFor: ({ id }) => connectionFor(id) !== null,
    async run({ id, domain }, deps) {
      const connection = connectionFor(id);
      if (connection === null) return;
      const credential = await openCredential(connection, options.ring);
      if (credential?.type === 'recorded') return;
      const before = await readSourceSync(deps.clickhouse, connection);
      if (!deps.requested && !isDue(before, deps.now())) return;
      // A credential of type api_key cannot open it; the command refuses such a credential (credential.ts, fits).
      const open = () =>
        credential === null || credential.type === 'api_key'
          ? null
          : openGoogleAnalytics({ ...options, credential, property: connection.property, domain });
      const failure = await syncAnalytics(connection, before, open, { ...deps, senderOf: options.senderOf });
      if (failure === null) return;
      deps.logger.warn(
        { website_id: id, kind: connection.kind, reason: failure.reason, problem: failure.message },
        'a connected source was not read completely',
      );
      // Retried with backoff: a refusal needs a person, and a rate limit needs time.
      return 'nothing_yet';
    },
  };
}

function isDue(before: SourceSync | null, now: number): boolean {
  if (before === null || before.lastSyncAt === null || before.problem !== null) return true;
  return (before.counts.days_left ?? 0) > 0 || now - before.lastSyncAt >= READ_AGAIN_MS;
}

/** Reads the due days and records the result, even if the source failed. @returns the error that ended it; null: it is complete. @throws as ClickHouse */
async function syncAnalytics(
  connection: Connection,
  before: SourceSync | null,
  open: () => WebAnalytics | null,
  {
    clickhouse,
    now,
    signal,
    senderOf,
  }: Pick<JobDeps, 'clickhouse' | 'now' | 'signal'> & Pick<SyncDeps, 'senderOf'>,
): Promise<SourceError | null> {
  const progress: SyncProgress = {
    through: before?.dataThrough ?? null,
    from: readAnalyticsMarks(before?.marks).from,
    counts: { days: 0, days_left: 0 },
  };
  const work = async () => {
    const source = open();
    if (source === null)
      throw new SourceError('refused', 'the credential cannot be opened: connect the website again');
    await syncDays(connection, source, progress, {
      ...{ clickhouse, senderOf, now, signal, until: now() + WORK_MS },
    });
  };
  const failure = await work().then(
    () => null,
    (error: unknown) => {
      if (error instanceof SourceError) return error;
      throw error;
    },
  );
  const { websiteId, sourceId, kind } = connection;
  await insertSourceSync(clickhouse, kind, {
    ...{ websiteId, sourceId, attemptedAt: now(), dataThrough: progress.through },
    lastSyncAt: failure === null ? now() : (before?.lastSyncAt ?? null),
    counts: failure === null ? progress.counts : (before?.counts ?? progress.counts),
    problem: failure?.message ?? null,
    marks: { from: progress.from },
  });
  return failure;
}
