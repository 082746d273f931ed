import { bodyShape } from '../../../services/ingest/body/body-shape.js';
import { createBodySplitter } from '../../../services/ingest/body/split-body.js';
import { acceptedTimes } from '../../../services/ingest/records/accepted-times.js';
import { findNamedSource } from '../../../services/ingest/records/detect-source.js';
import { createRecordParser } from '../../../services/ingest/records/parse-records.js';
import { createTally } from '../../../services/ingest/records/tally.js';
import { readCorpus, type Seed } from '../../fuzz/bodies/corpus.js';
import { NOW } from '../../fuzz/bodies/try-body.js';
import { quantile } from '../statistics.js';

/**
 * `npm run bench:parsers`: what a line of each source costs from inflated bytes to a validated request, beside a combined one
 * in the same run. Of each source the body of `test/sources` with the longest lines is repeated, among those that are requests to the last line.
 */

const LINES = 40_000;
const ROUNDS = 7;

interface Body {
  readonly seed: Seed;
  readonly bytes: Buffer;
  readonly requests: number;
}

const times = acceptedTimes(NOW, 800);

/** Requests; 0 where a line was none. */
function take(bytes: Buffer, said: string): number {
  const tally = createTally();
  const query = new URLSearchParams(said);
  const source = findNamedSource(query);
  const parser = createRecordParser({
    source,
    headers: {},
    query,
    times,
    tally,
    onRequest: () => {},
    onInflated: () => {},
  });
  const splitter = createBodySplitter(
    { maxLineBytes: 256 * 1024, shape: bodyShape(source, undefined) },
    parser,
  );
  for (let at = 0; at < bytes.length; at += 128 * 1024) splitter.push(bytes.subarray(at, at + 128 * 1024));
  splitter.end();
  return tally.rejected + tally.skipped === 0 ? tally.parsed : 0;
}

/** The seed, repeated to about so many requests; null where it can't be repeated (one document, or nothing but rejections). */
function repeat(seed: Seed): Body | null {
  const once = take(seed.body, seed.query);
  if (once === 0) return null;
  const turns = Math.ceil(LINES / once);
  const bytes = Buffer.from(`${seed.body.toString().trimEnd()}\n`.repeat(turns));
  const requests = take(bytes, seed.query);
  return requests === once * turns ? { seed, bytes, requests } : null;
}

const bodies = new Map<string, Body>();
for (const seed of readCorpus()) {
  const body = repeat(seed);
  const other = bodies.get(seed.source);
  if (body === null) continue;
  if (other === undefined || body.bytes.length / body.requests > other.bytes.length / other.requests)
    bodies.set(seed.source, body);
}

const samples = new Map([...bodies.keys()].map((source) => [source, [] as number[]]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [source, { bytes, seed, requests }] of bodies) {
    const started = process.cpuUsage();
    take(bytes, seed.query);
    const { user, system } = process.cpuUsage(started);
    samples.get(source)!.push((user + system) / requests);
  }
}

const combined = quantile(samples.get('combined')!, 0.5);
console.log(
  'source                 case                            bytes a line   µs CPU a line   of combined',
);
for (const [source, { seed, bytes, requests }] of bodies) {
  const cost = quantile(samples.get(source)!, 0.5);
  console.log(
    `${source.padEnd(22)} ${seed.name.padEnd(30)} ${(bytes.length / requests).toFixed(0).padStart(13)} ${cost.toFixed(2).padStart(15)} ${(cost / combined).toFixed(2).padStart(13)}`,
  );
}
