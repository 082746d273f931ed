import { Registry } from 'prom-client';
import { z } from 'zod';
import { createDataVersions } from '../../services/api/answer-cache/data-versions.js';
import { createFollowedVersions } from '../../services/api/answer-cache/follow-changes.js';
import { type Api, type ApiOptions, createApi } from '../../services/api/app.js';
import { encodeChanges } from '../../shared/changes/changes-codec.js';
import type { DataChange } from '../../shared/changes/data-change.js';
import { createUnsharedChanges } from '../../shared/changes/unshared-changes.js';
import { SECOND_MS } from '../../shared/durations.js';
import { clientIpText } from '../../shared/reads/sql/client-ip.js';
import type { ClickHouseReader } from '../../shared/store/client.js';
import type { StoredRequest } from '../harness/stored-requests.js';
import type { Verdict } from './random-requests.js';

/** Two processes of the API over one store, and the rows of that store, for changing-rows.int.test.ts. */

/** One process of the API, which a test can ask and start again. */
export interface Replica {
  readonly name: string;
  ask(path: string): Promise<Answer>;
  restart(): void;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** @param key of a caller who may read the website */
export function asker(api: Api, key: string): Replica['ask'] {
  return async (path) => {
    const answer = await api.request(path, { headers: { Authorization: `Bearer ${key}` } });
    return { status: answer.status, body: await answer.json() };
  };
}

/** The process that writes: it knows every change at once. */
export function createWriter(options: ApiOptions, key: string) {
  const open = () => {
    const versions = createDataVersions(options.now);
    const api = createApi({ ...options, dataVersions: versions, registry: new Registry() });
    return { versions, ask: asker(api, key) };
  };
  let running = open();
  return {
    name: 'the process that writes',
    ask: (path: string) => running.ask(path),
    restart() {
      running = open();
    },
    raise: (changes: readonly DataChange[]) => running.versions.raise(changes),
  };
}

/** Memory of the follower: it evicts blocks and answers. */
const FEW_BYTES = 150_000;
/** A writer that sends nothing for this time has ended (follow-changes.ts). */
const GONE_MS = 180 * SECOND_MS;

/** Another process: it follows records of changes, or misses them for a time. */
export function createFollower(options: ApiOptions, key: string, advance: (ms: number) => void) {
  const { now } = options;
  let ids = 0;
  let isHearing = true;
  let unread: Buffer[] = [];
  let writer = createUnsharedChanges('writer', now);

  const open = () => {
    const own = createUnsharedChanges(`follower-${ids++}`, now);
    const followed = createFollowedVersions(own.writerId, { now, config: { CLICKHOUSE_CLUSTER: undefined } });
    const api = createApi({
      ...options,
      dataVersions: followed.versions,
      registry: new Registry(),
      keptHours: { maxBytes: FEW_BYTES, readsBefore: { small: 0, large: 1 } },
      keptAnswersMaxBytes: FEW_BYTES,
    });
    followed.onCaughtUp?.();
    return { own, followed, ask: asker(api, key) };
  };
  let running = open();

  /** Sends the records that are due. */
  function send(): void {
    for (const sender of [writer, running.own]) {
      const record = sender.next(false);
      if (record === null) continue;
      unread.push(encodeChanges(record));
      sender.markShared(record);
    }
  }

  function read(): void {
    for (const value of unread) running.followed.take(value, now());
    unread = [];
  }

  return {
    name: 'the process that follows',
    ask: (path: string) => running.ask(path),
    restart() {
      running = open();
    },
    /** Changes of the writer; the follower gets them with `pass`. */
    raise: (changes: readonly DataChange[]) => writer.add(changes),
    /** Time for records to arrive, unless the follower hears nothing. */
    pass() {
      send();
      if (isHearing) read();
    },
    hear(is: boolean) {
      isHearing = is;
      // Versions are unknown after five seconds without a record.
      if (!is) advance(6 * SECOND_MS);
    },
    /** The log has deleted records before the follower read them. */
    loseRecords() {
      send();
      unread = [];
      running.followed.onLost?.();
      running.followed.onCaughtUp?.();
    },
    /** The writer ends with unsent changes, and another one starts. */
    killWriter() {
      writer = createUnsharedChanges(`writer-${ids++}`, now);
      for (let second = 0; second < GONE_MS / SECOND_MS; second += 1) {
        advance(SECOND_MS);
        send();
        if (isHearing) read();
      }
    },
  };
}

const requestRow = z.looseObject({ timestamp: z.number() });
const verdictRow = z.object({
  bot_family: z.string(),
  client_ip: z.string(),
  status: z.enum(['verified', 'spoofed', 'unverifiable']),
});

/** Every row of `requests` about the website, by a scan. */
export async function scanRequests(reader: ClickHouseReader, websiteId: string): Promise<StoredRequest[]> {
  const rows = await reader.read({
    name: 'test.rows',
    sql: `SELECT * EXCEPT (timestamp, received_at, client_ip, bytes_sent, log_offset),
  toUnixTimestamp64Milli(timestamp) AS timestamp, toUnixTimestamp(received_at) * 1000 AS received_at,
  toFloat64(bytes_sent) AS bytes_sent, toFloat64(log_offset) AS log_offset, ${clientIpText('requests.client_ip')} AS client_ip
FROM requests WHERE website_id = {website: String}`,
    params: { website: websiteId },
    row: requestRow,
  });
  return rows as unknown as StoredRequest[];
}

/** The latest verdict for each family and address. */
export function scanVerdicts(reader: ClickHouseReader, websiteId: string): Promise<Verdict[]> {
  return reader.read({
    name: 'test.verdicts',
    sql: `SELECT bot_family, ${clientIpText('claim_verdicts.client_ip')} AS client_ip, (max(decided) AS latest).status AS status
FROM claim_verdicts WHERE website_id = {website: String} GROUP BY bot_family, claim_verdicts.client_ip`,
    params: { website: websiteId },
    row: verdictRow,
  });
}
