import { MINUTE_MS } from '../durations.js';

/**
 * Bounds the log lines that each sender can cause, so that uploads cannot fill a disk. The first lines a minute of each
 * subject (a website, an address) are written. The subject's next line has its number of omitted lines; at the end of
 * the minute `onLeftOut` reports the total.
 */

export interface LineLimit {
  /** null: omit this line. Otherwise fields to add to it: the subject's omitted lines of the minute before. */
  admit(subject: string): { readonly left_out?: number } | null;
  /** Reports the omitted lines of the current minute. */
  flush(): void;
}

export interface LineLimitOptions {
  readonly linesPerMinute: number;
  /** Subjects beyond this number share one limit. */
  readonly mostSubjects: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called at most once a minute, and only if lines were omitted. */
  readonly onLeftOut: (leftOut: { readonly lines: number; readonly subjects: number }) => void;
}

const OTHERS = '(others)';

interface Counts {
  written: number;
  leftOut: number;
}

export function createLineLimit({
  linesPerMinute,
  mostSubjects,
  now,
  onLeftOut,
}: LineLimitOptions): LineLimit {
  let subjects = new Map<string, Counts>();
  let before = new Map<string, number>();
  let minute = Number.NaN;

  function flush(): void {
    const left = [...subjects].filter(([, { leftOut }]) => leftOut > 0);
    if (left.length > 0) {
      const lines = left.reduce((sum, [, { leftOut }]) => sum + leftOut, 0);
      onLeftOut({ lines, subjects: left.length });
    }
    before = new Map(left.map(([subject, { leftOut }]) => [subject, leftOut]));
    subjects = new Map();
  }

  return {
    flush,
    admit(subject) {
      const present = Math.floor(now() / MINUTE_MS);
      if (present !== minute) {
        flush();
        minute = present;
      }
      const name = subjects.has(subject) || subjects.size < mostSubjects ? subject : OTHERS;
      const counts = subjects.get(name) ?? { written: 0, leftOut: 0 };
      subjects.set(name, counts);
      if (counts.written >= linesPerMinute) {
        counts.leftOut++;
        return null;
      }
      counts.written++;
      const leftOut = before.get(name);
      before.delete(name);
      return leftOut === undefined ? {} : { left_out: leftOut };
    },
  };
}
