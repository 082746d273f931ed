import type { Commit } from '../event-log.js';
import { murmur2 } from '../partition-of.js';
import type { FetchedMessage } from './fetched-message.js';

/**
 * Identifies the record at an offset, to detect later whether it is still the same. A log that loses its tail keeps
 * earlier records: if one record is the same, all before it are.
 *
 * The anchor of the newest record read is in the metadata of each commit, after the consumer's own text. Kafka has its
 * own mechanism (leader epochs), but kafkajs does not support it.
 */
export interface Anchor {
  readonly offset: number;
  /** By the brokers' clock, milliseconds since the epoch. */
  readonly appendedAt: number;
  readonly digest: number;
}

export interface AnchoredCommit extends Commit {
  /** Null: the commit has none, for example one of Kafka's own tools. */
  readonly anchor: Anchor | null;
}

/** Default `offset.metadata.max.bytes` of the brokers. */
export const MAX_METADATA_BYTES = 4_096;
/** Bytes of each end of a value: a block begins with its upload's id. */
const DIGESTED_BYTES = 256;
const RADIX = 36;
const PATTERN = /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([0-9a-z]{1,7})$/;
const BEFORE = '\n@';

export function anchorOf({ offset, timestamp, key, value }: FetchedMessage): Anchor {
  const bytes = value ?? Buffer.alloc(0);
  const ends = [
    Buffer.from(`${bytes.length} `),
    key?.subarray(0, DIGESTED_BYTES) ?? Buffer.alloc(0),
    bytes.subarray(0, DIGESTED_BYTES),
    bytes.subarray(-DIGESTED_BYTES),
  ];
  return {
    offset: Number(offset),
    appendedAt: Number(timestamp),
    digest: murmur2(Buffer.concat(ends)) >>> 0,
  };
}

export function isSame(one: Anchor, other: Anchor): boolean {
  return one.offset === other.offset && one.appendedAt === other.appendedAt && one.digest === other.digest;
}

/** Metadata of a commit, without the anchor if it does not fit. */
export function withAnchor(metadata: string, anchor: Anchor | null): string {
  if (anchor === null) return metadata;
  const { offset, appendedAt, digest } = anchor;
  const all = `${metadata}${BEFORE}${[offset, appendedAt, digest].map((one) => one.toString(RADIX)).join('.')}`;
  return Buffer.byteLength(all) > MAX_METADATA_BYTES ? metadata : all;
}

export function splitAnchor(text: string): Pick<AnchoredCommit, 'metadata' | 'anchor'> {
  const at = text.lastIndexOf(BEFORE);
  const match = at < 0 ? null : PATTERN.exec(text.slice(at + BEFORE.length));
  if (match === null) return { metadata: text, anchor: null };
  const [offset, appendedAt, digest] = match.slice(1).map((one) => Number.parseInt(one, RADIX));
  return {
    metadata: text.slice(0, at),
    anchor: { offset: offset!, appendedAt: appendedAt!, digest: digest! },
  };
}
