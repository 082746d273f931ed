import { MINUTE_MS } from '../durations.js';
import type { NewRecord } from '../event-log/event-log.js';
import { versionedAvro } from '../schemas/versioned-avro.js';
import type { Arrival } from './arrival.js';
import { INTERVAL_MS } from './health-metrics.js';

/** A record of `requests.stored`. Its key is the website, so the owner of the website's partition reads it. */

/** For erasure: orders the owner of a website to forget an address and to save its state. */
export interface ForgetAddress {
  readonly websiteId: string;
  /** As `normaliseClientIp` returns it; '': no address, only a save of all changes. */
  readonly address: string;
}

export type StoredRecord = (
  | { readonly kind: 'arrival'; readonly websiteId: string; readonly arrival: Arrival }
  | ({ readonly kind: 'forget' } & ForgetAddress)
) & {
  /** How many owners passed the record on. */
  readonly forwards: number;
};

interface WrittenArrival {
  readonly websiteId: string;
  readonly storedAt: number;
  readonly receivedAt: number;
  readonly hasPendingClaims: boolean;
  readonly oldestMinute: number;
  readonly minutes: number;
  readonly intervals: readonly number[];
}

interface WrittenRecord {
  readonly forwards: number;
  readonly forget: ForgetAddress | null;
  readonly arrival: WrittenArrival | null;
}

const codec = versionedAvro<WrittenRecord>('requests.stored', 1);

/** The record of an arrival: some 70 bytes for live logs, 10 KB if each interval of four weeks has requests. */
export function arrivalRecord(arrival: Arrival): NewRecord {
  return {
    key: arrival.websiteId,
    value: codec.encode({ forwards: 0, forget: null, arrival: toWritten(arrival) }),
  };
}

/** The record that orders the website's owner to forget an address. */
export function forgetRecord(forget: ForgetAddress): NewRecord {
  return { key: forget.websiteId, value: codec.encode({ forwards: 0, forget, arrival: null }) };
}

/**
 * The record for the owner of another partition. Its key is the website, because owners compare
 * the website with their partition.
 * @throws Error that describes the malformed bytes.
 */
export function forwardedRecord(value: Buffer): NewRecord {
  const record = codec.decode(value);
  const key = (record.arrival ?? record.forget)?.websiteId ?? '';
  return { key, value: codec.encode({ ...record, forwards: record.forwards + 1 }) };
}

/** @throws Error that describes the malformed bytes. */
export function decodeStoredRecord(value: Buffer): StoredRecord {
  const { forwards, forget, arrival } = codec.decode(value);
  if (arrival !== null)
    return { kind: 'arrival', forwards, websiteId: arrival.websiteId, arrival: fromWritten(arrival) };
  if (forget === null) throw new Error('requests.stored: neither an arrival nor an address to forget');
  return { kind: 'forget', forwards, websiteId: forget.websiteId, address: forget.address };
}

function toWritten({ websiteId, storedAt, receivedAt, hasPendingClaims, ...times }: Arrival): WrittenArrival {
  const oldestMinute = times.oldestMinute / MINUTE_MS;
  const numbers = times.intervals.map((beginning) => beginning / INTERVAL_MS);
  return {
    websiteId,
    storedAt,
    receivedAt,
    hasPendingClaims,
    oldestMinute,
    minutes: times.newestMinute / MINUTE_MS - oldestMinute,
    intervals: numbers.map((number, index) => number - (numbers[index - 1] ?? 0)),
  };
}

function fromWritten({
  websiteId,
  storedAt,
  receivedAt,
  hasPendingClaims,
  ...written
}: WrittenArrival): Arrival {
  const { oldestMinute, minutes } = written;
  let number = 0;
  return {
    websiteId,
    storedAt,
    receivedAt,
    hasPendingClaims,
    oldestMinute: oldestMinute * MINUTE_MS,
    newestMinute: (oldestMinute + minutes) * MINUTE_MS,
    intervals: written.intervals.map((distance) => {
      number += distance;
      return number * INTERVAL_MS;
    }),
  };
}
