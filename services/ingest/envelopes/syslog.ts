import type { LineEnvelope } from './envelope.js';

/**
 * Prefixes of syslog: RFC 5424 (`<134>1 2026-02-14T08:15:30Z host app - - - text`), RFC 3164 with its own or an ISO time
 * (`<134>Feb 14 08:15:30 host app[12]: text`), and the form of files of rsyslog and syslog-ng, without `<134>`.
 * The count of bytes of RFC 6587 may be before it.
 */
export const syslog: LineEnvelope = {
  name: 'syslog',
  endOfPrefix(line) {
    const first = line.charCodeAt(0);
    const priority = isDigit(first) ? behindCount(line) : 0;
    if (line.charCodeAt(priority) === LESS) {
      const start = behindPriority(line, priority);
      if (start === 0) return 0;
      return line.charCodeAt(start) === ONE && line.charCodeAt(start + 1) === SPACE
        ? behindHeader5424(line, start + 2)
        : behindHeader3164(line, start);
    }
    const hasTime = first >= 65 ? isMonth(line.slice(0, 4)) : line.charCodeAt(10) === 84; /* T */
    return hasTime ? behindHeader3164(line, 0) : 0;
  },
};

/**
 * Whether the line has more than its own message: its count of bytes is wrong, and other messages follow without a
 * line end. Their start is unknown, because a client may have written a count and a priority into its request.
 */
export function isMiscounted(line: string): boolean {
  if (!isDigit(line.charCodeAt(0))) return false;
  const start = behindCount(line);
  if (start === 0 || !ANOTHER_MESSAGE.test(line.slice(start))) return false;
  return Buffer.byteLength(line) - start !== Number(line.slice(0, start - 1));
}

const ANOTHER_MESSAGE = /\d <\d{1,3}>/;

const [SPACE, LESS, ONE, COLON, OPEN, CLOSE, QUOTE, BACKSLASH, HYPHEN, OPEN_OBJECT] = [
  32, 60, 49, 58, 91, 93, 34, 92, 45, 123,
] as const;

/** Longest name of a host or program; longer words are not searched. */
const LONGEST_WORD = 300;

const months = new Set(
  ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map((m) => `${m} `),
);

function isMonth(word: string): boolean {
  return months.has(word);
}

/** Index after the count of bytes before a message (RFC 6587); 0 if there is none. */
function behindCount(line: string): number {
  let at = 1;
  while (at < 7 && isDigit(line.charCodeAt(at))) at++;
  return line.charCodeAt(at) === SPACE && line.charCodeAt(at + 1) === LESS ? at + 1 : 0;
}

/** Index after `<0>` to `<191>`; 0 if there is none. */
function behindPriority(line: string, from: number): number {
  let at = from + 1;
  while (at < from + 4 && isDigit(line.charCodeAt(at))) at++;
  return at > from + 1 && line.charCodeAt(at) === 62 /* > */ ? at + 1 : 0;
}

/** `TIME HOST APP PROCID MSGID SD [BOM]TEXT` (RFC 5424 §6). */
function behindHeader5424(line: string, from: number): number {
  let at = from;
  for (let word = 0; word < 5; word++) {
    at = behindWord(line, at);
    if (at === 0) return 0;
  }
  if (line.charCodeAt(at) === HYPHEN) at++;
  else if (line.charCodeAt(at) === OPEN) at = behindStructuredData(line, at);
  // Heroku's Logplex omits the structured data.
  else return at;
  if (line.charCodeAt(at) === SPACE) at++;
  // Some senders write the word instead of the mark.
  if (line.startsWith('BOM', at)) return at + 3;
  return line.charCodeAt(at) === 0xfeff ? at + 1 : at;
}

/** Index after `[id name="value"]…`; the line's end if it is not closed. */
function behindStructuredData(line: string, from: number): number {
  let at = from;
  while (line.charCodeAt(at) === OPEN) {
    let quoted = false;
    for (at++; at < line.length; at++) {
      const code = line.charCodeAt(at);
      if (quoted && code === BACKSLASH) at++;
      else if (code === QUOTE) quoted = !quoted;
      else if (!quoted && code === CLOSE) break;
    }
    at++;
  }
  return Math.min(at, line.length);
}

/**
 * `Mmm DD HH:MM:SS` or an ISO time, then `HOST TAG: TEXT`; The host may be absent (a local socket), and the tag if
 * the text is JSON.
 */
function behindHeader3164(line: string, from: number): number {
  const timeEnd = isMonth(line.slice(from, from + 4)) ? from + 16 : behindIsoTime(line, from);
  if (timeEnd === 0 || line.charCodeAt(timeEnd - 1) !== SPACE) return 0;
  if (line.charCodeAt(timeEnd - 4) !== COLON && isMonth(line.slice(from, from + 4))) return 0;
  const tag = behindTag(line, timeEnd);
  if (tag !== 0) return tag;
  const host = behindWord(line, timeEnd);
  if (host === 0) return 0;
  // Without a tag: rsyslog keeps the space before it.
  const text = line.charCodeAt(host) === SPACE ? host + 1 : host;
  return line.charCodeAt(text) === OPEN_OBJECT ? text : behindTag(line, host);
}

function behindIsoTime(line: string, from: number): number {
  if (!isDigit(line.charCodeAt(from)) || line.charCodeAt(from + 4) !== HYPHEN) return 0;
  return behindWord(line, from);
}

/** Index after `name:` or `name[12]:` and a space; 0 if the next word does not end in a colon. */
function behindTag(line: string, from: number): number {
  const end = behindWord(line, from);
  if (end === 0 || end - from < 3 || line.charCodeAt(end - 2) !== COLON) return 0;
  // An IPv6 address or a time of the log line does not end in a colon; `host:` would be a tag.
  return end;
}

/** Index after the next word and its space; 0 if no space follows within the limit. */
function behindWord(line: string, from: number): number {
  const most = Math.min(line.length, from + LONGEST_WORD);
  for (let at = from; at < most; at++) if (line.charCodeAt(at) === SPACE) return at === from ? 0 : at + 1;
  return 0;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
