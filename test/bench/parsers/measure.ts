import { bodyShape } from '../../../services/ingest/body/body-shape.js';
import { createBodySplitter } from '../../../services/ingest/body/split-body.js';
import { createTally } from '../../../services/ingest/outcomes/tally.js';
import { acceptedTimes } from '../../../services/ingest/records/accepted-times.js';
import { findNamedSource } from '../../../services/ingest/records/detect-source.js';
import { createRecordParser } from '../../../services/ingest/records/parse-records.js';
import { readCorpus, type Seed } from '../../fuzz/bodies/corpus.js';
import { NOW } from '../../fuzz/bodies/try-body.js';
import { tableLines } from '../print/table.js';
import { measureAlternating } from '../stages/measure-alternating.js';

/**
 * The cost of a line of each source from inflated bytes to a validated request, beside a combined line. For
 * each source it repeats the body of `test/sources` with the longest lines, among those without a rejected
 * line.
 */

const LINES = 40_000;
const PIECE_BYTES = 128 * 1024;

export interface ParserCost {
  readonly source: string;
  readonly body: string;
  readonly bytesPerLine: number;
  readonly microsecondsPerLine: number;
}

interface Body {
  readonly seed: Seed;
  readonly bytes: Buffer;
  readonly requests: number;
}

export async function measureParsers(): Promise<ParserCost[]> {
  const bodies = [...longestBodies()];
  const works = bodies.map(([source, { bytes, seed }]) => [source, () => void take(bytes, seed.query)]);
  const costs = await measureAlternating(Object.fromEntries(works));
  return bodies.map(([source, { bytes, seed, requests }]) => ({
    ...{ source, body: seed.name, bytesPerLine: bytes.length / requests },
    microsecondsPerLine: costs[source]! / requests,
  }));
}

export function parserLines(costs: readonly ParserCost[]): string[] {
  const combined = costs.find(({ source }) => source === 'combined')!.microsecondsPerLine;
  return tableLines([
    ['parsers', 'body', 'bytes a line', 'µs CPU a line', 'of combined'],
    ...costs.map(({ source, body, bytesPerLine, microsecondsPerLine: cost }) => [
      ...[source, body, bytesPerLine.toFixed(0), cost.toFixed(2), (cost / combined).toFixed(2)],
    ]),
  ]);
}

function longestBodies(): Map<string, Body> {
  const bodies = new Map<string, Body>();
  const bytesPerLine = ({ bytes, requests }: Body) => bytes.length / requests;
  for (const seed of readCorpus()) {
    const body = repeat(seed);
    const other = bodies.get(seed.source);
    if (body !== null && (other === undefined || bytesPerLine(body) > bytesPerLine(other)))
      bodies.set(seed.source, body);
  }
  return bodies;
}

/**
 * The seed, repeated to about this many requests; null if it cannot be repeated (one document, or only
 * rejections).
 */
function repeat(seed: Seed): Body | null {
  const once = take(seed.body, seed.query);
  if (once === 0) return null;
  const times = Math.ceil(LINES / once);
  const bytes = Buffer.from(`${seed.body.toString().trimEnd()}\n`.repeat(times));
  const requests = take(bytes, seed.query);
  return requests === once * times ? { seed, bytes, requests } : null;
}

/**
 * @param given query of the upload
 * @returns number of requests; 0 if a line was rejected
 */
function take(bytes: Buffer, given: string): number {
  const tally = createTally();
  const query = new URLSearchParams(given);
  const source = findNamedSource(query);
  const parser = createRecordParser({
    ...{ source, headers: {}, query, times: acceptedTimes(NOW, 800), tally },
    ...{ onRequest: () => {}, onInflated: () => {} },
  });
  const shape = bodyShape(source, undefined);
  const splitter = createBodySplitter({ maxLineBytes: 256 * 1024, shape }, parser);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    splitter.onChunk(bytes.subarray(at, at + PIECE_BYTES));
  splitter.onEnd();
  return tally.rejected + tally.skipped === 0 ? tally.parsed : 0;
}
