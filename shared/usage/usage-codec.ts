import { versionedAvro } from '../schemas/versioned-avro.js';
import { type UsageBucket, usageBuckets } from './usage-bucket.js';
import type { UsageRecord } from './usage-counter.js';

/**
 * A record of `usage`. A bucket is text, so that this release can read the other counts if a later release adds a
 * bucket. `organisation_id` is the website for buckets of uploads.
 */

interface Envelope {
  replica_id: string;
  counts: { organisation_id: string; bucket: string; hour_start: number; count: number }[];
}

const codec = versionedAvro<Envelope>('usage', 1);

export function encodeUsage({ replicaId, counts }: UsageRecord): Buffer {
  return codec.encode({
    replica_id: replicaId,
    counts: counts.map(({ subjectId, bucket, hourStart, count }) => {
      return { organisation_id: subjectId, bucket, hour_start: hourStart, count };
    }),
  });
}

/**
 * Unknown buckets are left out.
 * @throws Error that describes the malformed bytes.
 */
export function decodeUsage(value: Buffer): UsageRecord {
  const { replica_id, counts } = codec.decode(value);
  return {
    replicaId: replica_id,
    counts: counts.flatMap(({ organisation_id, bucket, hour_start, count }) =>
      isBucket(bucket) ? [{ subjectId: organisation_id, bucket, hourStart: hour_start, count }] : [],
    ),
  };
}

function isBucket(text: string): text is UsageBucket {
  return (usageBuckets as readonly string[]).includes(text);
}
