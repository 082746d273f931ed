import { readFileSync } from 'node:fs';
import avsc from 'avsc';
import { type Bucket, buckets } from './rate-limit.js';
import type { UsageRecord } from './usage-counter.js';

/**
 * A record of `usage` on the wire: one byte naming the schema's version, then Avro. A bucket is text there, so that a
 * release that has one more does not keep this one from reading the others.
 */

const VERSION = 1;
const schema = JSON.parse(
  readFileSync(new URL('../../../shared/schemas/usage.v1.avsc', import.meta.url), 'utf8'),
);
const type = avsc.Type.forSchema(schema);

interface Envelope {
  replica_id: string;
  counts: { organisation_id: string; bucket: string; hour_start: number; count: number }[];
}

export function encodeUsage({ replicaId, counts }: UsageRecord): Buffer {
  const envelope: Envelope = {
    replica_id: replicaId,
    counts: counts.map(({ organisationId, bucket, hourStart, count }) => {
      return { organisation_id: organisationId, bucket, hour_start: hourStart, count };
    }),
  };
  return Buffer.concat([Buffer.of(VERSION), type.toBuffer(envelope)]);
}

/**
 * Counts of unknown buckets are left out.
 * @throws Error naming what is wrong with the bytes.
 */
export function decodeUsage(value: Buffer): UsageRecord {
  if (value[0] !== VERSION) throw new Error(`usage: unknown schema version ${value[0]}`);
  const { replica_id, counts } = type.fromBuffer(value.subarray(1)) as Envelope;
  return {
    replicaId: replica_id,
    counts: counts.flatMap(({ organisation_id, bucket, hour_start, count }) =>
      isBucket(bucket) ? [{ organisationId: organisation_id, bucket, hourStart: hour_start, count }] : [],
    ),
  };
}

function isBucket(text: string): text is Bucket {
  return (buckets as readonly string[]).includes(text);
}
