import type { NewRecord } from '../event-log/event-log.js';
import { versionedAvro } from '../schemas/versioned-avro.js';
import type { Signal } from './signal.js';

/**
 * A record of `requests.signals` on the wire. Its key is the website, whose partition's owner counts it, or lets go of an address. The
 * first byte says which of the two it is: signals keep the form that releases before this one read.
 */

const signals = versionedAvro<Signal>('requests.signals', 1);
const FORGETTING = 2;
const forgettings = versionedAvro<ForgetAddress>('requests.signals', FORGETTING);

/** Tells the owner of a website to let go of an address and to save what is left: for erasure. */
export interface ForgetAddress {
  readonly websiteId: string;
  /** Plain, as `normaliseClientIp` gives it; '': of none, but everything that has changed is to be saved. */
  readonly address: string;
}

export type SignalRecord =
  | { readonly kind: 'signal'; readonly websiteId: string; readonly signal: Signal }
  | ({ readonly kind: 'forget' } & ForgetAddress);

/** What is appended to `requests.signals`. @throws Error where a number is not whole, or beyond 2^53 */
export function signalRecord(signal: Signal): NewRecord {
  return { key: signal.websiteId, value: signals.encode(signal) };
}

/** What is appended to `requests.signals` for a website that is to forget. */
export function forgetRecord(forgetting: ForgetAddress): NewRecord {
  return { key: forgetting.websiteId, value: forgettings.encode(forgetting) };
}

/** Whether a record tells to forget, without decoding it. */
export function tellsToForget(value: Buffer): boolean {
  return value[0] === FORGETTING;
}

/** @throws Error naming what is wrong with the bytes. */
export function decodeSignalRecord(value: Buffer): SignalRecord {
  if (tellsToForget(value)) {
    const { websiteId, address } = forgettings.decode(value);
    return { kind: 'forget', websiteId, address };
  }
  const signal = decodeSignal(value);
  return { kind: 'signal', websiteId: signal.websiteId, signal };
}

/** Of a record that is known to be a signal. @throws as `decodeSignalRecord` */
export function decodeSignal(value: Buffer): Signal {
  return signals.decode(value);
}
