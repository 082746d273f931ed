import { MINUTE_MS } from '../durations.js';

/**
 * Bounds how many log lines each sender can cause: what is worth a line for every upload must not fill a disk. Of each subject
 * (a website, an address) the first lines of a minute are written; how many were left out is said with its next
 * line, and for all subjects together when the minute is over.
 */

export interface LineLimit {
  /** null: leave this line out; else what goes with it: how many of the subject's were left out in the minute before. */
  admit(subject: string): { readonly left_out?: number } | null;
  /** Tells what was left out of the present minute. */
  flush(): void;
}

export interface LineLimitOptions {
  readonly linesPerMinute: number;
  /** Those beyond share the lines of one. */
  readonly mostSubjects: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called at most once a minute, and only where lines were left out. */
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
