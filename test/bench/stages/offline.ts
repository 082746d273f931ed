import { Readable } from 'node:stream';
import { everything } from '../../../services/enricher/block/kept-of-visitors.js';
import { createEnrich } from '../../../services/enricher/enrich.js';
import {
  type EncodeDependencies,
  encodeRecords,
} from '../../../services/enricher/sink/range/encode-records.js';
import { createLocateStep } from '../../../services/enricher/steps/locate.js';
import type { Upload as AdmittedUpload } from '../../../services/ingest/admission/upload.js';
import { createAppenders } from '../../../services/ingest/blocks/append-blocks.js';
import type { BodyLimits } from '../../../services/ingest/body/inflate.js';
import { storeBody } from '../../../services/ingest/http/receive-upload.js';
import { acceptedTimes } from '../../../services/ingest/records/accepted-times.js';
import { findNamedSource } from '../../../services/ingest/records/detect-source.js';
import { createCrawlerRules, loadRuleData } from '../../../shared/crawlers/crawler-rules.js';
import { loadReferrerList } from '../../../shared/crawlers/referrers.js';
import type { EventLog, LogRecord } from '../../../shared/event-log/event-log.js';
import { openLocationDatabases } from '../../../shared/location/open-databases.js';
import { countRequests } from '../../../shared/requests/columns/raw-block-codec.js';

/** The services' path of a line in this process, without a socket, a log and a store. */

/** The size in which a socket delivers a body. */
const CHUNK_BYTES = 64 * 1024;
/** The number under full load. */
const UPLOADS_IN_FLIGHT = 4;
const RETENTION_DAYS = 400;
const CACHED_ADDRESSES = 200_000;

export const bodyLimits: Omit<BodyLimits, 'waitForRate'> = {
  maxBytes: 1e9,
  maxInflatedBytes: 1e9,
  leastRate: { bytesPerSecond: 1, graceMs: 60_000 },
};

/** The body as a stream of chunks. */
export function streamOf(body: Buffer): Readable {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += CHUNK_BYTES) chunks.push(body.subarray(at, at + CHUNK_BYTES));
  return Readable.from(chunks);
}

/**
 * Processes bodies like ingest, from their bytes to the appended blocks.
 * @param onBlock called instead of an append
 * @throws Error if a line is rejected
 */
export async function takeBodies(
  bodies: readonly Buffer[],
  { encoding, source }: { encoding: 'gzip' | 'identity'; source: string },
  onBlock: (value: Buffer) => void,
): Promise<void> {
  const openBlocks = createAppenders({
    log: logOf(onBlock),
    now: Date.now,
    uploadsInFlight: () => UPLOADS_IN_FLIGHT,
  });
  for (const body of bodies) {
    const upload = admitted(source, encoding);
    const { tally, failure } = await storeBody(
      streamOf(body) as never,
      upload,
      bodyLimits,
      openBlocks(upload),
    );
    if (failure !== null) throw failure;
    if (tally.rejected > 0) throw new Error(`${tally.rejected} lines of ${source} were rejected`);
  }
}

function admitted(name: string, encoding: 'gzip' | 'identity'): AdmittedUpload {
  const facts = { headers: {}, query: new URLSearchParams({ source: name }) };
  return {
    ...facts,
    id: 'bench',
    websiteId: 'bench',
    uploadKey: null,
    encoding,
    times: acceptedTimes(Date.now(), RETENTION_DAYS),
    source: findNamedSource(facts.query),
    maxLineBytes: 256 * 1024,
    shape: null,
    waitForRate: async () => {},
    meter: { count: () => {}, end: () => {} },
    leave() {},
  };
}

function logOf(onBlock: (value: Buffer) => void): EventLog {
  let offset = 0;
  const append: EventLog['append'] = async (_topic, records) =>
    records.map(({ value }) => {
      onBlock(value);
      return { partition: 0, offset: offset++ };
    });
  return { append } as EventLog;
}

/** The enricher's dependencies, without reverse DNS lookups. */
export function openOfflineEnrichment(): EncodeDependencies {
  return {
    enrich: createEnrich({
      rules: createCrawlerRules(loadRuleData()),
      dnsVerifier: { verdictOf: () => 'pending' },
      locate: createLocateStep({ ...openLocationDatabases(), cacheSize: CACHED_ADDRESSES }),
      referrers: loadReferrerList(),
      websiteDomain: () => 'shop.example',
      retentionDays: () => RETENTION_DAYS,
      privacyOf: () => everything,
    }),
    retentionDays: () => RETENTION_DAYS,
    privacyOf: () => everything,
  };
}

/** The blocks as records of the log, in ranges that are closed at this many rows. */
export function rangesOf(blocks: readonly Buffer[], maxRows: number): LogRecord[][] {
  const ranges: LogRecord[][] = [[]];
  let rows = 0;
  for (const [offset, value] of blocks.entries()) {
    if (rows >= maxRows) {
      ranges.push([]);
      rows = 0;
    }
    ranges.at(-1)!.push({ key: 'bench/0', value, partition: 0, offset, appendedAt: Date.now() });
    rows += countRequests(value);
  }
  return ranges;
}

/**
 * Rows of a range in the form of the enricher's insert.
 * @throws Error if a record is dead
 */
export async function encodeRange(
  records: readonly LogRecord[],
  deps: EncodeDependencies,
): Promise<{ readonly body: Buffer; readonly rows: number }> {
  const { body, rows, dead } = await encodeRecords(records, deps);
  if (dead.length > 0) throw new Error(`a record is dead: ${dead[0]!.reason}`);
  return { body, rows };
}
