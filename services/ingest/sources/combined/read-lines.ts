import { viewOf } from '../../../../shared/requests/columns/hash-bytes.js';
import { normaliseIp } from '../util/client-ip.js';
import { isHostName } from '../util/host-name.js';
import { isLocalIp } from '../util/ip-form.js';
import {
  type PlainLineReader,
  ROW_TEXT_BYTES,
  type Room,
  type RowSink,
  type TimeBounds,
} from '../util/source.js';
import { normaliseHost } from '../util/target.js';
import { client_ip, foundLines, readLine, showsOrder, textBytes } from './read-line.js';
import { host, MOST_LINES } from './read-tail.js';

/** Lines that are read at once after a wrong address, because the lines after it are read twice. */
const LINES_AFTER_WRONG = 4;

/** By line: the index after it, and the bytes of clients' text up to its end. */
const ends = new Int32Array(MOST_LINES);
const textSums = new Int32Array(MOST_LINES);

export interface PlainReaderOptions {
  readonly times: TimeBounds;
  readonly sink: RowSink;
  /**
   * Called with the number of browsers' lines, which show the order `"referrer" "user agent"`.
   * @param proxied number of them from a local address
   */
  readonly onBrowsers: (lines: number, proxied: number) => void;
}

/**
 * The fast path for combined lines. It reads their bytes, so that no string is made for a text that the block already
 * has. A plain line is
 * `address - - [time] "METHOD /target HTTP/1.1" status bytes "referrer" "user agent"` in ASCII without escapes. A time and a host name may follow.
 * A plain line gives the same request as combined.ts (a test compares the two).
 */
export function createPlainCombinedReader(
  source: string,
  { times, sink, onBrowsers }: PlainReaderOptions,
): PlainLineReader {
  let chunk: Buffer = Buffer.alloc(0);
  let view = viewOf(chunk);
  let lines = 0;
  let mostLines = MOST_LINES;
  let knownHost = Buffer.alloc(0);
  let knownProxy = Buffer.alloc(0);

  /** Most lines have no host, or the host of the previous line. */
  function isPlainHost(line: number): boolean {
    const from = host[3 * line]!;
    const to = host[3 * line + 1]!;
    if (to === from || isAt(knownHost, chunk, from, to)) return true;
    const text = chunk.toString('latin1', from, to);
    if (!isHostName(text) || normaliseHost(text) !== text) return false;
    knownHost = Buffer.from(text);
    return true;
  }

  function countBrowsers(rows: number): void {
    let browsers = 0;
    let proxied = 0;
    for (let line = 0; line < rows; line += 1) {
      if (showsOrder[line] === 0) continue;
      browsers += 1;
      if (isLocal(line)) proxied += 1;
    }
    onBrowsers(browsers, proxied);
  }

  /** Most lines from a proxy come from the same one. */
  function isLocal(line: number): boolean {
    const from = client_ip[3 * line]!;
    const to = client_ip[3 * line + 1]!;
    if ((view.getInt32(from, true) & THREE_BYTES) === TEN) return true;
    if (!mayBeLocal(view, from)) return false;
    if (isAt(knownProxy, chunk, from, to)) return true;
    const address = chunk.toString('latin1', from, to);
    if (!isLocalIp(address)) return false;
    knownProxy = Buffer.from(address);
    return true;
  }

  /** Reads lines until one is not plain or the room is used. @returns index of the first byte that is left */
  function fill({ builder, ...most }: Room, from: number, to: number, maxLineBytes: number): number {
    const mostRows = Math.min(most.rows, mostLines);
    let rows = 0;
    let text = 0;
    for (let at = from; at < to && rows < mostRows; at = ends[rows - 1]!) {
      if (rows > 0 && text + rows * ROW_TEXT_BYTES >= most.text) break;
      const end = readLine(chunk, view, rows, at, times);
      if (end === -1 || end - at > maxLineBytes || !isPlainHost(rows)) break;
      text += textBytes(rows);
      ends[rows] = end + 1;
      textSums[rows] = text;
      rows += 1;
    }
    const added = builder.addFound(view, foundLines, rows, isPlainAddress);
    mostLines = added < rows ? LINES_AFTER_WRONG : Math.min(MOST_LINES, 2 * mostLines);
    if (added === 0) return from;
    sink.rowsAdded(added, textSums[added - 1]!);
    countBrowsers(added);
    lines += added;
    return ends[added - 1]!;
  }

  return {
    get lines() {
      return lines;
    },
    begin(next) {
      chunk = next;
      view = viewOf(next);
    },
    read(from, to, maxLineBytes) {
      lines = 0;
      let at = from;
      for (let before = -1; at < to && at !== before; ) {
        const room = sink.room(source);
        before = at;
        at = fill(room, at, to, maxLineBytes);
      }
      return at;
    },
  };
}

/** Whether a local address may begin like this; most others need no check of their text. */
function mayBeLocal(view: DataView, at: number): boolean {
  const first = view.getUint8(at);
  if (first !== ONE) return first < ONE || first > NINE;
  const octet = view.getInt32(at, true);
  return localOctets.includes(octet);
}

const ONE = 49;
const NINE = 57;
const octetOf = (text: string) => Buffer.from(text.padEnd(4, '\0')).readInt32LE();
const THREE_BYTES = 0xff_ff_ff;
const TEN = octetOf('10.');
const localOctets = ['100.', '127.', '169.', '172.', '192.'].map(octetOf);

const isPlainAddress = (text: string): boolean => normaliseIp(text) === text;

function isAt(text: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from !== text.length) return false;
  for (let at = 0; at < text.length; at += 1) if (text[at] !== bytes[from + at]) return false;
  return true;
}
