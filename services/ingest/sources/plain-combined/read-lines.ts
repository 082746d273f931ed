import type { ColumnBuilder } from '../../../../shared/requests/columns/column-builder.js';
import { normaliseIp } from '../client-ip.js';
import { LONGEST_FREE_TEXT, MOST_BYTES_SENT } from '../request-limits.js';
import type { PlainLineReader, RowSink, TimeBounds } from '../source.js';
import { DIGIT_0, HYPHEN, isEqual, isWordEnd, QUOTE, SPACE, threeDigits } from './bytes.js';
import { createPlainQuoted } from './read-quoted.js';
import { createPlainRequestLine } from './read-request.js';
import { createPlainTail } from './read-tail.js';
import { createPlainTime } from './read-time.js';
import { createTextScanner } from './scan-text.js';

/**
 * The fast way for combined lines. They are read from their bytes, and a text that the block has already is never made into a string. A plain line is
 * `address - - [time] "METHOD /target HTTP/1.1" status bytes "referrer" "user agent"` in ASCII without escapes. Seconds and a host name may follow.
 * A plain line gives the request that combined.ts gives (a test compares the two).
 */
export function createPlainCombinedReader(source: string, times: TimeBounds, sink: RowSink): PlainLineReader {
  const line = createPlainLine(times);
  let lines = 0;
  return {
    get lines() {
      return lines;
    },
    read(bytes, from, to, maxLineBytes) {
      lines = 0;
      let at = from;
      line.attach(bytes);
      while (at < to) {
        const end = line.read(bytes, at);
        if (end === -1 || end - at > maxLineBytes) break;
        const builder = sink.builderFor(source);
        if (builder === null || !line.put(bytes, builder)) break;
        sink.rowAdded(line.textBytes());
        lines += 1;
        at = end + 1;
      }
      return at;
    },
  };
}

/** Stands between the address and the time where neither ident nor user is known. */
const NO_USER = Buffer.from(' - - [');
/** An address of IPv6 with an IPv4 part has no more characters. */
const LONGEST_ADDRESS = 45;
/** A number of so many digits is below {@link MOST_BYTES_SENT}. */
const MOST_DIGITS = Math.floor(Math.log10(MOST_BYTES_SENT));

/** Reads one line at a time, and puts it into a block once all of it was plain. */
function createPlainLine(times: TimeBounds) {
  const time = createPlainTime();
  const scanner = createTextScanner();
  const request = createPlainRequestLine(scanner, LONGEST_FREE_TEXT);
  const tail = createPlainTail();
  const referrer = createPlainQuoted(scanner, LONGEST_FREE_TEXT);
  const userAgent = createPlainQuoted(scanner, LONGEST_FREE_TEXT);
  let addressFrom = 0;
  let addressTo = 0;
  let addressHash = 0;
  let status = 0;
  let bytesSent = 0;

  /** Takes any word of the right length: `put` checks a new one. @returns index of the space behind it; -1. */
  function readAddress(from: number): number {
    const end = scanner.toSpace(from);
    if (end <= from || end - from > LONGEST_ADDRESS) return -1;
    addressFrom = from;
    addressTo = end;
    addressHash = scanner.hash();
    return end;
  }

  /** `status bytes`. @returns index behind them; -1 where they are not numbers. */
  function readNumbers(bytes: Buffer, from: number): number {
    status = threeDigits(bytes, from);
    if (status === -1 || bytes[from + 3] !== SPACE) return -1;
    let at = from + 4;
    bytesSent = 0;
    if (bytes[at] === HYPHEN) return isWordEnd(bytes[at + 1]!) ? at + 1 : -1;
    for (let digit = bytes[at]! - DIGIT_0; digit >= 0 && digit <= 9; digit = bytes[++at]! - DIGIT_0)
      bytesSent = bytesSent * 10 + digit;
    const digits = at - from - 4;
    return digits > 0 && digits <= MOST_DIGITS && isWordEnd(bytes[at]!) ? at : -1;
  }

  /** Referrer and user agent, where they are. @returns index of the space or the line feed behind them; -1. */
  function readQuoted(bytes: Buffer, from: number): number {
    referrer.clear();
    userAgent.clear();
    if (bytes[from] !== SPACE || bytes[from + 1] !== QUOTE) return from;
    const at = referrer.read(bytes, from + 2);
    if (at === -1 || bytes[at] !== SPACE || bytes[at + 1] !== QUOTE) return at;
    return userAgent.read(bytes, at + 2);
  }

  return {
    /** The bytes that lines are read from next. */
    attach: scanner.attach,
    /** @returns index of the line feed; -1 where the line is not plain. */
    read(bytes: Buffer, from: number): number {
      let at = readAddress(from);
      if (at === -1 || !isEqual(bytes, at, at + NO_USER.length, NO_USER)) return -1;
      at = time.read(bytes, at + NO_USER.length);
      if (at === -1 || time.value() < times.earliest || time.value() > times.latest) return -1;
      at = request.read(bytes, at);
      if (at === -1) return -1;
      at = readNumbers(bytes, at);
      if (at === -1) return -1;
      at = readQuoted(bytes, at);
      if (at === -1) return -1;
      return tail.read(bytes, at);
    },
    /** Gives the block the line that was read; false where the line is not plain after all. */
    put(bytes: Buffer, { texts, addNumbers }: ColumnBuilder): boolean {
      if (!texts.client_ip.has(scanner.view(), addressFrom, addressTo, addressHash)) {
        const text = bytes.toString('latin1', addressFrom, addressTo);
        if (normaliseIp(text) !== text) return false;
      }
      texts.client_ip.putBytes(scanner.view(), addressFrom, addressTo, addressHash);
      request.put(bytes, texts);
      referrer.put(texts.referrer);
      userAgent.put(texts.user_agent);
      texts.host.put(tail.host());
      texts.request_id.put('');
      texts.content_type.put('');
      texts.cache_status.put('');
      texts.source_country.put('');
      texts.cdn_bot_category.put('');
      addNumbers(time.value(), status, bytesSent, tail.timeTakenMs());
      return true;
    },
    textBytes: () => request.targetBytes() + referrer.length() + userAgent.length() + tail.host().length,
  };
}
