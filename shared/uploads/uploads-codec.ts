import { versionedAvro } from '../schemas/versioned-avro.js';
import {
  type LineRejection,
  type OutcomeKind,
  outcomeKinds,
  type UploadCounts,
  type UploadOutcome,
} from './upload-outcome.js';

/** A record of the topic `uploads`: what one replica of ingest tells of some websites' uploads. */
export interface UploadsRecord {
  /** Of one start of a process: one that starts again begins at 0. */
  readonly replicaId: string;
  readonly websites: readonly WebsiteUploads[];
}

/** One website's uploads to one replica in one UTC clock hour. */
export interface WebsiteUploads {
  readonly websiteId: string;
  /** Milliseconds since the epoch, a full UTC hour. */
  readonly hourStart: number;
  /** Since `hourStart`: of two records the later one holds whatever the earlier one does. */
  readonly counts: UploadCounts;
  readonly last: UploadOutcome;
  /** Null: no line was rejected in this hour. */
  readonly lastRejection: LineRejection | null;
}

interface Envelope {
  replica_id: string;
  websites: {
    website_id: string;
    hour_start: number;
    counts: UploadCounts;
    last: Omit<UploadOutcome, 'kind'> & { kind: string };
    last_rejection: LineRejection | null;
  }[];
}

const codec = versionedAvro<Envelope>('uploads', 1);

export function encodeUploads({ replicaId, websites }: UploadsRecord): Buffer {
  return codec.encode({
    replica_id: replicaId,
    websites: websites.map(({ websiteId, hourStart, counts, last, lastRejection }) => {
      return {
        website_id: websiteId,
        hour_start: hourStart,
        counts,
        last,
        last_rejection: lastRejection,
      };
    }),
  });
}

/**
 * A website whose last upload ended in a way that this release does not know is left out.
 * @throws Error naming what is wrong with the bytes.
 */
export function decodeUploads(value: Buffer): UploadsRecord {
  const { replica_id, websites } = codec.decode(value);
  return {
    replicaId: replica_id,
    websites: websites.flatMap(({ website_id, hour_start, counts, last, last_rejection }) => {
      const { kind } = last;
      if (!isKind(kind)) return [];
      return [
        {
          websiteId: website_id,
          hourStart: hour_start,
          counts,
          last: { ...last, kind },
          lastRejection: last_rejection,
        },
      ];
    }),
  };
}

function isKind(text: string): text is OutcomeKind {
  return (outcomeKinds as readonly string[]).includes(text);
}
