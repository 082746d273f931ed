import type { NewRecord } from '../event-log/event-log.js';
import { readAvroType, versionedAvro } from '../schemas/versioned-avro.js';
import type { Signal } from './signal.js';

/**
 * A record of `requests.signals` on the wire. Its key is the website, whose partition's owner counts it, or lets go of an address. The
 * first byte says which of the two it is, and the form. A signal that says nothing of what its second form added is written in the
 * first, which releases before read.
 */

const FIRST = 1;
const WITH_CLIENT_ERRORS = 3;
const firstType = readAvroType('requests.signals', FIRST);
const type = readAvroType('requests.signals', WITH_CLIENT_ERRORS);
/** Gives what was added its default. */
const fromFirst = type.createResolver(firstType);
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
  const isFirst = !signal.minutes.some(({ byClient }) => byClient.some(({ status5xx }) => status5xx > 0));
  const [form, avro] = isFirst
    ? [FIRST, firstType.toBuffer(signal)]
    : [WITH_CLIENT_ERRORS, type.toBuffer(signal)];
  return { key: signal.websiteId, value: Buffer.concat([Buffer.of(form), avro]) };
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
  const avro = value.subarray(1);
  if (value[0] === FIRST) return type.fromBuffer(avro, fromFirst);
  if (value[0] === WITH_CLIENT_ERRORS) return type.fromBuffer(avro);
  throw new Error(`requests.signals: unknown schema version ${value[0]}`);
}
