import { duration } from '../format.js';

/** Lists of crawlers' addresses that are older may lack new addresses. */
export const OLD_LIST_DAYS = 30;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Senders and the pipeline need some minutes even for a busy website. */
const LEAST_AMBER_MS = 10 * MINUTE_MS;
const AMBER_GAPS = 20;
const RED_FACTOR = 6;

interface Hour {
  readonly time: string;
  readonly requests: number;
  readonly partial?: boolean | undefined;
}

export interface Age {
  readonly tone: 'good' | 'warn' | 'bad';
  /** The usual time between two lines, as text; null without lines. */
  readonly usual: string | null;
}

/**
 * Whether the last line is late for this website. The usual gap is that of its quietest hours: a tenth of the hours with lines have fewer.
 * Amber: twenty usual gaps, at least ten minutes. Red: six times that.
 */
export function ageOf(lastLine: string | null, hours: readonly Hour[], now: number): Age {
  if (lastLine === null) return { tone: 'bad', usual: null };
  const counts = hours
    .flatMap(({ requests, partial }) => (requests > 0 && partial !== true ? [requests] : []))
    .sort((a, b) => a - b);
  const quiet = counts[Math.floor(counts.length / 10)];
  const gap = quiet === undefined ? null : HOUR_MS / quiet;
  const amber = Math.max(LEAST_AMBER_MS, AMBER_GAPS * (gap ?? 0));
  const age = now - Date.parse(lastLine);
  return {
    tone: age > amber * RED_FACTOR ? 'bad' : age > amber ? 'warn' : 'good',
    usual: gap === null ? null : duration(gap),
  };
}
