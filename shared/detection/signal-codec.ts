import type { LogRecord, NewRecord, Position } from '../event-log/event-log.js';
import { readAvroType, versionedAvro } from '../schemas/versioned-avro.js';
import { isAllListed, listedFailures } from './bot-failures.js';
import type { Signal } from './signal.js';

/**
 * A record of `requests.signals` on the wire. Its key is the website, whose partition's owner counts it, or lets go of an address. The
 * first byte is its form:
 *
 * | form | what it is |
 * | ---- | ---------- |
 * | 1 | a signal none of whose addresses met errors of the server, and whose lists tell what bots met |
 * | 2 | `ForgetAddress` |
 * | 3 | a signal whose lists tell what bots met |
 * | 4 | a record of another form that was passed on from another partition, and where it stood there |
 * | 5 | any other signal |
 *
 * A signal is written in the first of its forms that holds it: releases before read that.
 */

const FIRST = 1;
const WITH_CLIENT_ERRORS = 3;
const WITH_BOT_FAILURES = 5;
const type = readAvroType('requests.signals', WITH_BOT_FAILURES);
/** The forms before it. Resolvers give what was added since its default. */
const earlier = [FIRST, WITH_CLIENT_ERRORS].map((form) => {
  const ofForm = readAvroType('requests.signals', form);
  return { form, type: ofForm, resolver: type.createResolver(ofForm) };
});
const FORGETTING = 2;
const forgettings = versionedAvro<ForgetAddress>('requests.signals', FORGETTING);
const PASSED_ON = 4;
const passings = versionedAvro<Position & { readonly record: Buffer }>('requests.signals', PASSED_ON);

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

/** What is appended to `requests.signals`. @throws Error where a number is not whole, or beyond 2^53 */
export function signalRecord(signal: Signal): NewRecord {
  const form = formOf(signal);
  const avro = (earlier.find((one) => one.form === form)?.type ?? type).toBuffer(signal);
  return { key: signal.websiteId, value: Buffer.concat([Buffer.of(form), avro]) };
}

function formOf({ minutes }: Signal): number {
  if (!minutes.every(isAllListed)) return WITH_BOT_FAILURES;
  const hasErrors = minutes.some(({ byClient }) => byClient.some(({ status5xx }) => status5xx > 0));
  return hasErrors ? WITH_CLIENT_ERRORS : FIRST;
}

/** What is appended to `requests.signals` for a website that is to forget. */
export function forgetRecord(forgetting: ForgetAddress): NewRecord {
  return { key: forgetting.websiteId, value: forgettings.encode(forgetting) };
}

/**
 * What is appended to `requests.signals` for a record that stands in a partition which is not its website's any more. Of one that was
 * passed on before only where it stands now is told: there it may have been counted, and the owner before knows the rest.
 */
export function passedOnRecord({ key, value, partition, offset }: LogRecord): NewRecord {
  return withOrigin({ key, value: unwrapped(value).value }, { partition, offset });
}

/** @param origin undefined: the record as it is */
export function withOrigin({ key, value }: NewRecord, origin: Position | undefined): NewRecord {
  if (origin === undefined) return { key, value };
  const { partition, offset } = origin;
  return { key, value: passings.encode({ partition, offset, record: value }) };
}

/** Whether a record tells to forget, without decoding what a signal says. */
export function tellsToForget(value: Buffer): boolean {
  try {
    return unwrapped(value).value[0] === FORGETTING;
  } catch {
    return false;
  }
}

/** @throws Error naming what is wrong with the bytes. */
export function decodeSignalRecord(value: Buffer): SignalRecord {
  const { value: own, ...origin } = unwrapped(value);
  if (own[0] === FORGETTING) return { kind: 'forget', ...origin, ...plainForgetting(own) };
  const signal = signalIn(own);
  return { kind: 'signal', ...origin, websiteId: signal.websiteId, signal };
}

/** Of a record that is known to be a signal. @throws as `decodeSignalRecord` */
export function decodeSignal(value: Buffer): Signal {
  return signalIn(unwrapped(value).value);
}

function plainForgetting(value: Buffer): ForgetAddress {
  const { websiteId, address } = forgettings.decode(value);
  return { websiteId, address };
}

function signalIn(value: Buffer): Signal {
  const avro = value.subarray(1);
  if (value[0] === WITH_BOT_FAILURES) return type.fromBuffer(avro);
  const older = earlier.find(({ form }) => form === value[0]);
  if (older === undefined) throw new Error(`requests.signals: unknown schema version ${value[0]}`);
  const signal: Signal = type.fromBuffer(avro, older.resolver);
  return { ...signal, minutes: signal.minutes.map((one) => ({ ...one, ...listedFailures(one.byBot) })) };
}

function unwrapped(value: Buffer): { readonly value: Buffer; readonly origin?: Position } {
  if (value[0] !== PASSED_ON) return { value };
  const { partition, offset, record } = passings.decode(value);
  return { value: record, origin: { partition, offset } };
}
