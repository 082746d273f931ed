import { normaliseIp } from '../client-ip.js';
import { normaliseHost } from './target.js';

/** What customers log behind the user agent. */
export interface Tail {
  /** Normalised addresses of a quoted list. */
  readonly forwardedFor: readonly string[];
  readonly timeTakenMs: number | null;
  readonly host: string;
}

const nothing: Tail = { forwardedFor: [], timeTakenMs: null, host: '' };

/** Words, quoted texts, and name=value with either. */
const ITEM = /(?:([A-Za-z_]+)=)?(?:"((?:[^"\\]|\\.)*)"|(\S+))/g;

/**
 * Reads the words from `from` on, in any order; the first of each kind counts, others are passed over.
 * The accepted forms are listed in docs/log-format.md "Combined"; a bare integer is never a time, since it may
 * be seconds, microseconds or a counter.
 */
export function readTail(line: string, from: number): Tail {
  if (from >= line.length) return nothing;
  // The stock nginx form ends in "$http_x_forwarded_for", most often absent.
  if (line.length - from === 3 && line.endsWith('"-"')) return nothing;
  let forwardedFor: readonly string[] = [];
  let timeTakenMs: number | null = null;
  let host = '';
  for (const [, name, quoted, bare] of line.slice(from).matchAll(ITEM)) {
    const value = quoted ?? bare!;
    if (value === '' || value === '-') continue;
    if (name === undefined) {
      timeTakenMs ??= readTime(value);
      if (quoted !== undefined && forwardedFor.length === 0) forwardedFor = readAddresses(value);
      if (host === '' && isHostName(value)) host = normaliseHost(value);
    } else if (name === 'rt' || name === 'request_time') {
      timeTakenMs ??= readSeconds(value);
    } else if (name === 'D') {
      timeTakenMs ??= readUnit(`${value}us`);
    } else if (name === 'host' && host === '') {
      host = normaliseHost(value);
    }
  }
  return { forwardedFor, timeTakenMs, host };
}

function readTime(value: string): number | null {
  // nginx's $request_time always has its decimals.
  return value.includes('.') ? (readSeconds(value) ?? readUnit(value)) : readUnit(value);
}

function readSeconds(value: string): number | null {
  return /^\d{1,9}(\.\d+)?$/.test(value) ? Math.round(Number(value) * 1_000) : null;
}

const unitMs: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000 };

function readUnit(value: string): number | null {
  const match = /^(\d{1,15}(?:\.\d+)?)(us|ms|s)$/.exec(value);
  return match === null ? null : Math.round(Number(match[1]) * unitMs[match[2]!]!);
}

function readAddresses(value: string): readonly string[] {
  const addresses = value.split(',').map((part) => normaliseIp(part.trim()));
  return addresses.filter((address) => address !== '');
}

/** A dotted name whose last label is of letters: neither an address nor a version such as TLSv1.3. */
function isHostName(value: string): boolean {
  // The length first: on long text the expression's time grows with its square.
  if (value.length > 255) return false;
  return /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)(?::\d+)?$/.test(
    value,
  );
}
