import type { NewRecord } from '../event-log/event-log.js';
import { versionedAvro } from '../schemas/versioned-avro.js';
import type { Signal } from './signal.js';

/** A record of `requests.signals` on the wire. Its key is the website, whose partition's owner counts it. */

const codec = versionedAvro<Signal>('requests.signals', 1);

/** What is appended to `requests.signals`. @throws Error where a number is not whole, or beyond 2^53 */
export function signalRecord(signal: Signal): NewRecord {
  return { key: signal.websiteId, value: codec.encode(signal) };
}

/** @throws Error naming what is wrong with the bytes. */
export function decodeSignal(value: Buffer): Signal {
  return codec.decode(value);
}
