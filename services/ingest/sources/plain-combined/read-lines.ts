import { normaliseIp } from '../client-ip.js';
import { isHostName } from '../host-name.js';
import { parseCommonLogTime } from '../parse-timestamp.js';
import type { PlainLineReader, RowSink, TimeBounds } from '../source.js';
import { normaliseHost } from '../target.js';
import {
  endOf,
  foundLines,
  linesBefore,
  MOST_LINES,
  otherDay,
  releaseChunk,
  scanLines,
  setDay,
} from './line-scanner.js';

/** Lines of a scan after one has found an address or a host that no plain line has: what stands behind is scanned again. */
const LINES_AFTER_WRONG = 4;

/**
 * The fast way for combined lines. They are read from their bytes: of their texts, hosts and IPv6 addresses alone are made into strings, once a scan. A plain line is
 * `address - - [time] "METHOD /target HTTP/1.1" status bytes "referrer" "user agent"` in ASCII without escapes. A time and a host name may follow.
 * A plain line gives the request that combined.ts gives (a test compares the two).
 */
export function createPlainCombinedReader(source: string, times: TimeBounds, sink: RowSink): PlainLineReader {
  let chunk: Buffer = Buffer.alloc(0);
  let lines = 0;
  /** That lines are of: date and zone, and its midnight in milliseconds since the epoch. Most lines have the day of the line before. */
  const day = Buffer.alloc(16);
  let midnight = Number.NaN;
  let mostLines = MOST_LINES;
  let knownHost = '';

  /**
   * Turns to the day at which the last scan, which has found no line, has ended. Scanned again, the line there is of that day, or it is not plain.
   * @returns whether there is such a day
   */
  function beginOtherDay(): boolean {
    const time = otherDay();
    if (time === null) return false;
    const [date, zone] = [time.slice(0, 11), time.slice(21)];
    const parsed = parseCommonLogTime(`${date}:00:00:00 ${zone}`, 0);
    if (Number.isNaN(parsed)) return false;
    midnight = parsed;
    day.write(date + zone, 'latin1');
    return true;
  }

  function isPlainHost(text: string): boolean {
    if (text === '' || text === knownHost) return true;
    if (!isHostName(text) || normaliseHost(text) !== text) return false;
    knownHost = text;
    return true;
  }

  /** @param found at least one. @returns how many of the lines found are plain. */
  function checked(found: number): number {
    const rows = linesBefore('host', linesBefore('client_ip', found, isPlainAddress), isPlainHost);
    mostLines = rows < found ? LINES_AFTER_WRONG : Math.min(MOST_LINES, 2 * mostLines);
    return rows;
  }

  return {
    get lines() {
      return lines;
    },
    begin(next) {
      chunk = next;
      releaseChunk();
    },
    read(from, to, maxLineBytes) {
      lines = 0;
      let at = from;
      while (at < to) {
        const room = sink.room(source);
        if (room === null) break;
        setDay(day);
        const found = scanLines(chunk, at, to, {
          lines: Math.min(room.rows, mostLines),
          text: room.text,
          maxLineBytes,
          midnight,
          times,
        });
        if (found === 0) {
          if (beginOtherDay()) continue;
          break;
        }
        const plain = checked(found);
        if (plain > 0) {
          room.builder.addFound(foundLines, plain);
          at = endOf(plain);
          lines += plain;
          sink.rowsAdded(plain, foundLines.textSums[plain - 1]!);
        }
        if (plain < found) break;
      }
      return at;
    },
  };
}

const isPlainAddress = (text: string): boolean => normaliseIp(text) === text;
