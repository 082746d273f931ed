import { gunzipSync } from 'node:zlib';
import { giveBodyMemoryBack } from '../../../services/enricher/sink/range/body-memory.js';
import { createRowsEncoder } from '../../../services/enricher/sink/range/encode-rows.js';
import { createArrivalGatherer } from '../../../services/enricher/sink/range/gather-arrivals.js';
import { probesOf } from '../../../services/enricher/steps/probe.js';
import { inflateBody } from '../../../services/ingest/body/inflate.js';
import { loadConfig } from '../../../shared/config.js';
import { type ColumnBlock, writeColumnBlock } from '../../../shared/requests/columns/column-block-codec.js';
import { createColumnBuilder } from '../../../shared/requests/columns/column-builder.js';
import { decodeColumnBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import { type RequestColumns, requestsOf } from '../../../shared/requests/columns/request-columns.js';
import type { Upload } from '../uploads.js';
import { measureAlternating, type Work } from './measure-alternating.js';
import { bodyLimits, encodeRange, openOfflineEnrichment, rangesOf, streamOf, takeBodies } from './offline.js';

/**
 * The cost of a line in each stage, offline, in this single process, on the same lines.
 *
 * The two paths of the services (a body to its blocks, blocks to the bodies of inserts) are measured as a
 * whole, and some of their parts separately. Other parts are differences: splitting and parsing is a plain
 * body's cost without the writing of its blocks.
 */

export const stageNames = [
  'inflated',
  'split, parsed, put into columns',
  'block written (Avro)',
  'body to blocks, whole',
  'block decoded',
  'enriched',
  'Native encoded',
  'probes found (within enriched)',
  'blocks to rows, whole',
] as const;
export type StageName = (typeof stageNames)[number];

/** µs of CPU a line, of all threads of the process. */
export type StageCosts = Readonly<Record<StageName, number>>;

export async function measureStages(uploads: readonly Upload[], source: string): Promise<StageCosts> {
  const lines = uploads.reduce((sum, upload) => sum + upload.lines, 0);
  const costs = Object.entries(await measureAlternating(await takeWorks(uploads, source)));
  const perLine = costs.map(([name, microseconds]) => [name, microseconds / lines] as const);
  const { plain = Number.NaN, gzip = Number.NaN, ...parts } = Object.fromEntries(perLine);
  return {
    ...(parts as unknown as StageCosts),
    'split, parsed, put into columns': plain - parts['block written (Avro)']!,
    'body to blocks, whole': gzip,
  };
}

async function takeWorks(uploads: readonly Upload[], source: string): Promise<Record<string, Work>> {
  const gzipped = uploads.map(({ body }) => body);
  const plain = gzipped.map((body) => gunzipSync(body));
  const values: Buffer[] = [];
  await takeBodies(plain, { encoding: 'identity', source }, (value) => values.push(value));
  const deps = openOfflineEnrichment();
  const ranges = rangesOf(values, loadConfig({}).ENRICHER_BATCH_ROWS);
  const decoded = ranges.map((records) => records.map(({ value }) => decodeColumnBlock(value)));
  const enriched = decoded.map((blocks) => blocks.map((block) => ({ block, enriched: deps.enrich(block) })));
  const built = decoded.flat().map(({ columns, ...head }) => ({ head, columns: builtOf(columns) }));
  const scratch = Buffer.allocUnsafe(2 * Math.max(...values.map((value) => value.length)));
  const nothing = () => {};
  return {
    async inflated() {
      for (const body of gzipped) {
        const limits = { ...bodyLimits, waitForRate: async () => {} };
        for await (const _ of inflateBody(streamOf(body), 'gzip', limits, { received: 0, inflated: 0 }));
      }
    },
    gzip: () => takeBodies(gzipped, { encoding: 'gzip', source }, nothing),
    plain: () => takeBodies(plain, { encoding: 'identity', source }, nothing),
    'block written (Avro)'() {
      for (const { head, columns } of built) writeColumnBlock(head, columns, scratch, 0);
    },
    'block decoded'() {
      for (const value of values) decodeColumnBlock(value);
    },
    enriched() {
      for (const blocks of decoded) for (const block of blocks) deps.enrich(block);
    },
    'Native encoded'() {
      for (const blocks of enriched) encodeEnriched(blocks);
    },
    'probes found (within enriched)'() {
      for (const blocks of enriched) for (const one of blocks) probesOf(one.enriched);
    },
    async 'blocks to rows, whole'() {
      const createGatherer = () => createArrivalGatherer(Date.now());
      for (const records of ranges)
        giveBodyMemoryBack((await encodeRange(records, { ...deps, createGatherer })).body);
    },
  };
}

type Enriched = ReturnType<ReturnType<typeof openOfflineEnrichment>['enrich']>;

function encodeEnriched(
  blocks: readonly { readonly block: ColumnBlock; readonly enriched: Enriched }[],
): void {
  const encoder = createRowsEncoder(blocks.reduce((sum, { block }) => sum + block.columns.rows, 0));
  for (const [offset, { block, enriched }] of blocks.entries()) {
    const place = {
      websiteId: block.website_id,
      source: block.source,
      receivedAt: block.received_at,
      partition: 0,
      offset,
      retentionDays: 400,
      addressDays: 0,
    };
    encoder.add(place, enriched, allRows(block));
  }
  runThrough(encoder.encode());
}

/** Does work that is evaluated lazily. */
function runThrough(work: Iterable<unknown>): void {
  for (const _ of work);
}

const allRows = ({ columns }: ColumnBlock) => Uint32Array.from({ length: columns.rows }, (_, row) => row);

function builtOf(columns: RequestColumns) {
  const builder = createColumnBuilder(columns.rows);
  for (const request of requestsOf(columns)) builder.add(request);
  return builder.columns();
}
