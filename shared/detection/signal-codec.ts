import type { LogRecord, NewRecord, Position } from '../event-log/event-log.js';
import { versionedAvro } from '../schemas/versioned-avro.js';
import type { Signal } from './signal.js';

/**
 * A record of `requests.signals` on the wire. Its key is the website: the owner of the website's partition counts the signal, or
 * forgets the address.
 */

/** Tells the owner of a website to let go of an address and to save what is left: for erasure. */
export interface ForgetAddress {
  readonly websiteId: string;
  /** Plain, as `normaliseClientIp` gives it; '': of none, but everything that has changed is to be saved. */
  readonly address: string;
}

/** `origin`: where it stood before it was passed on to the partition that is its website's now. */
export type SignalRecord = { readonly origin?: Position } & (
  | { readonly kind: 'signal'; readonly websiteId: string; readonly signal: Signal }
  | ({ readonly kind: 'forget' } & ForgetAddress)
);

interface WrittenRecord {
  readonly origin: Position | null;
  readonly forget: ForgetAddress | null;
  readonly signal: Signal | null;
}

const codec = versionedAvro<WrittenRecord>('requests.signals', 1);

/** What is appended to `requests.signals`. @throws Error where a number is not whole, or beyond 2^53 */
export function signalRecord(signal: Signal, origin: Position | null = null): NewRecord {
  return { key: signal.websiteId, value: codec.encode({ origin, forget: null, signal }) };
}

/** What is appended to `requests.signals` for a website that is to forget. */
export function forgetRecord(forget: ForgetAddress, origin: Position | null = null): NewRecord {
  return { key: forget.websiteId, value: codec.encode({ origin, forget, signal: null }) };
}

/**
 * What is appended to `requests.signals` for a record in a partition that is not its website's any more. A record that was
 * passed on before gets its present place as its origin: it may have been counted there.
 * @throws as `decodeSignalRecord`
 */
export function passedOnRecord({ key, value, partition, offset }: LogRecord): NewRecord {
  return { key, value: codec.encode({ ...codec.decode(value), origin: { partition, offset } }) };
}

/** @throws Error naming what is wrong with the bytes. */
export function decodeSignalRecord(value: Buffer): SignalRecord {
  const { origin, forget, signal } = codec.decode(value);
  const place = origin === null ? {} : { origin: { partition: origin.partition, offset: origin.offset } };
  if (signal !== null) return { kind: 'signal', ...place, websiteId: signal.websiteId, signal };
  if (forget === null) throw new Error('requests.signals: neither a signal nor an address to forget');
  return { kind: 'forget', ...place, websiteId: forget.websiteId, address: forget.address };
}
