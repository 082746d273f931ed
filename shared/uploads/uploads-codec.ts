import { versionedAvro } from '../schemas/versioned-avro.js';
import {
  type LineRejection,
  type OutcomeKind,
  outcomeKinds,
  type UploadCounts,
  type UploadOutcome,
} from './upload-outcome.js';

/** A record of the topic `uploads`: reports of one ingest replica about some websites' uploads. */
export interface UploadsRecord {
  /** Identifies one start of a process: its counts begin at 0. */
  readonly replicaId: string;
  readonly websites: readonly WebsiteUploads[];
}

/** One website's uploads to one replica in one UTC clock hour. */
export interface WebsiteUploads {
  readonly websiteId: string;
  /** Milliseconds since the epoch, a full UTC hour. */
  readonly hourStart: number;
  /** Cumulative since `hourStart`: a later record replaces an earlier one. */
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
 * Leaves out a website whose last upload has an unknown outcome, as later releases may send.
 * @throws Error that describes the malformed bytes.
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
