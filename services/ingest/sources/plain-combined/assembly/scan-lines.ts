import {
  BYTES_SENT, DAY, ENDS, IDS, IDS_OF_COLUMN, MOST_LINES, STATUSES, TEXT_BYTES, TEXT_COUNTS, TEXT_SUMS, TEXTS, TEXTS_OF_COLUMN, TIMES_TAKEN, TIMESTAMPS, WINDOW,
  WINDOW_BYTES,
} from './memory';
import { forgetTexts, placeText } from './place-text';
import { isIPv4, isMapped, MAPPED_BYTES } from './read-address';
import { byteAt, digitAt, HYPHEN, isAbsent, isWordEnd, QUOTE, SPACE, threeDigits } from './read-bytes';
import { methodTo, protocolFrom, protocolTo, readRequest, targetHash, targetTo, writeProtocols } from './read-request';
import { hostFrom, hostTo, readTail, setMostSecondsDigits, timeTakenMs } from './read-tail';
import { hashText, noHash, setNoHash, textHash, toQuote, toSpace } from './read-text';
import { isOfDay, isTime, secondOfDay, TIME_AND_QUOTE_BYTES } from './read-time';

export {
  BYTES_SENT, DAY, ENDS, IDS, IDS_OF_COLUMN, MOST_LINES, STATUSES, TEXT_COUNTS, TEXT_SUMS, TEXTS, TEXTS_OF_COLUMN, TIMES_TAKEN, TIMESTAMPS, WINDOW, WINDOW_BYTES,
};

/** Columns of texts, in the order of columnNames (scanner-memory.ts). */
const CLIENT_IP: i32 = 0;
const METHOD: i32 = 1;
const HOST: i32 = 2;
const TARGET: i32 = 3;
const PROTOCOL: i32 = 4;
const USER_AGENT: i32 = 5;
const REFERRER: i32 = 6;

/** An address of IPv6 with an IPv4 part has no more characters. */
const LONGEST_ADDRESS: i32 = 45;
/** ` - -`, little-endian: neither ident nor user is known. */
const NO_USER: i32 = 0x2d202d20;
const OPEN_BRACKET: i32 = 91;

let longestText: i32 = 0;
/** Digits of the bytes that were sent. */
let mostDigits: i32 = 0;
/** Where the time stands of a line at which a scan ended because it is of another day; 0. */
let otherDay: i32 = 0;

/** Of the line that is read. */
let status: i32 = 0;
let bytesSent: f64 = 0;
let referrerFrom: i32 = 0;
let referrerTo: i32 = 0;
let referrerHash: i32 = 0;
let agentFrom: i32 = 0;
let agentTo: i32 = 0;
let agentHash: i32 = 0;

/**
 * Called once.
 * @param seed the hash of the empty text. @param longest bytes of a target, referrer or user agent. @param digits of bytes sent. @param secondsDigits of a time's seconds
 */
export function begin(seed: i32, longest: i32, digits: i32, secondsDigits: i32): void {
  setNoHash(seed);
  longestText = longest;
  mostDigits = digits;
  setMostSecondsDigits(secondsDigits);
  writeProtocols();
}

export function otherDayAt(): i32 {
  return otherDay;
}

/**
 * Reads plain lines from `from` on. It ends before a line that is not plain or is of another day, and behind the line whose text reaches `mostText`.
 * @param to index behind a line feed. @param mostText bytes of texts that clients write. @param textOfLine bytes that each line counts beside them.
 * @param maxLineBytes without the line feed. Times are milliseconds since the epoch.
 * @returns how many
 */
export function scan(
  from: i32, to: i32, mostLines: i32, mostText: i32, textOfLine: i32, maxLineBytes: i32, midnight: f64, earliest: f64, latest: f64,
): i32 {
  let at = from;
  let line = 0;
  let text = 0;
  otherDay = 0;
  forgetTexts();
  const most = mostLines < MOST_LINES ? mostLines : MOST_LINES;
  while (line < most && at < to && text + line * textOfLine < mostText) {
    const addressTo = toSpace(at);
    if (addressTo <= at || addressTo - at > LONGEST_ADDRESS) break;
    let addressFrom = at;
    let addressHash = textHash;
    if (isMapped(at, addressTo)) {
      addressFrom = at + MAPPED_BYTES;
      addressHash = hashText(addressFrom, addressTo);
    }
    if (load<i32>(addressTo) != NO_USER || byteAt(addressTo + 4) != SPACE || byteAt(addressTo + 5) != OPEN_BRACKET) break;
    const time = addressTo + 6;
    if (!isTime(time)) break;
    if (!isOfDay(time)) {
      otherDay = time;
      break;
    }
    const second = secondOfDay(time);
    const timestamp = midnight + <f64>second * 1000;
    if (second == -1 || !(timestamp >= earliest && timestamp <= latest)) break;
    let word = readRequest(time + TIME_AND_QUOTE_BYTES, longestText);
    if (word == -1) break;
    word = readNumbers(word);
    if (word == -1) break;
    word = readQuoted(word);
    if (word == -1) break;
    const end = readTail(word);
    if (end == -1 || end >= to || end - at > maxLineBytes) break;

    const target = methodTo + 1;
    const isPlaced =
      placeAddress(line, addressFrom, addressTo, addressHash) &&
      placeOf(METHOD, line, time + TIME_AND_QUOTE_BYTES, methodTo, hashText(time + TIME_AND_QUOTE_BYTES, methodTo)) &&
      placeOf(HOST, line, hostFrom, hostTo, hashText(hostFrom, hostTo)) &&
      placeOf(TARGET, line, target, targetTo, targetHash) &&
      placeOf(PROTOCOL, line, protocolFrom, protocolTo, hashText(protocolFrom, protocolTo)) &&
      placeOf(USER_AGENT, line, agentFrom, agentTo, agentHash) &&
      placeOf(REFERRER, line, referrerFrom, referrerTo, referrerHash);
    if (!isPlaced) break;
    text += targetTo - target + referrerTo - referrerFrom + agentTo - agentFrom + hostTo - hostFrom;
    at = end + 1;
    store<f64>(TIMESTAMPS + line * 8, timestamp);
    store<f64>(BYTES_SENT + line * 8, bytesSent);
    store<u16>(STATUSES + line * 2, status);
    store<i32>(TIMES_TAKEN + line * 4, timeTakenMs);
    store<i32>(TEXT_SUMS + line * 4, text);
    store<i32>(ENDS + line * 4, at);
    line++;
  }
  return line;
}

/** `status bytes`. @returns index behind them; -1 where they are not numbers. */
@inline
function readNumbers(from: i32): i32 {
  status = threeDigits(from);
  if (status == -1 || byteAt(from + 3) != SPACE) return -1;
  let at = from + 4;
  bytesSent = 0;
  if (byteAt(at) == HYPHEN) return isWordEnd(byteAt(at + 1)) ? at + 1 : -1;
  let sum: u64 = 0;
  for (let digit = digitAt(at); digit <= 9 && at - from <= 4 + mostDigits; digit = digitAt(++at)) sum = sum * 10 + digit;
  bytesSent = <f64>sum;
  const digits = at - from - 4;
  return digits > 0 && digits <= mostDigits && isWordEnd(byteAt(at)) ? at : -1;
}

/** Referrer and user agent, where they are. @returns index of the space or the line feed behind them; -1. */
@inline
function readQuoted(from: i32): i32 {
  referrerFrom = referrerTo = agentFrom = agentTo = from;
  referrerHash = agentHash = noHash;
  if (byteAt(from) != SPACE || byteAt(from + 1) != QUOTE) return from;
  let at = from + 2;
  let end = toQuote(at);
  if (end == -1 || end - at > longestText || !isWordEnd(byteAt(end + 1))) return -1;
  if (!isAbsent(at, end)) {
    referrerFrom = at;
    referrerTo = end;
    referrerHash = textHash;
  }
  if (byteAt(end + 1) != SPACE || byteAt(end + 2) != QUOTE) return end + 1;
  at = end + 3;
  end = toQuote(at);
  if (end == -1 || end - at > longestText || !isWordEnd(byteAt(end + 1))) return -1;
  if (!isAbsent(at, end)) {
    agentFrom = at;
    agentTo = end;
    agentHash = textHash;
  }
  return end + 1;
}

/** @returns false where there is no place for it. */
@inline
function placeOf(column: i32, line: i32, from: i32, to: i32, hash: i32): bool {
  const place = placeText(column, from, to, hash);
  store<u16>(IDS + column * IDS_OF_COLUMN + line * 2, place);
  return place != -1;
}

/** Says of a new one, too, whether it is an IPv4 address: any other word is checked by who reads the scan. */
@inline
function placeAddress(line: i32, from: i32, to: i32, hash: i32): bool {
  if (!placeOf(CLIENT_IP, line, from, to, hash)) return false;
  const place = <i32>load<u16>(IDS + CLIENT_IP * IDS_OF_COLUMN + line * 2);
  const text = TEXTS + CLIENT_IP * TEXTS_OF_COLUMN + place * TEXT_BYTES;
  if (load<i32>(text) == from && isIPv4(from, to)) store<i32>(text, 1, 12);
  return true;
}
