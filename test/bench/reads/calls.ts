import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import type { BenchedRead } from './catalogue.js';

/**
 * `cold`: a window that nobody read before. `rolling`: the window that ends now, of alternating websites. `warm`: one call repeatedly.
 */
export const modes = ['cold', 'warm', 'rolling'] as const;
export type Mode = (typeof modes)[number];

/** A call of one website. */
export interface Call {
  /** Index of the website. */
  readonly website: number;
  /** Below the website's address. */
  readonly path: string;
}

export interface Calls {
  /** The calls of a run, one after another. */
  of(mode: Mode, read: BenchedRead, hours: number): () => Call;
}

/** Days of traffic in the table: the longest window and the one before it fit in. */
export const DAYS = 15;

/** @param now milliseconds since the epoch: the end of the traffic */
export function createCalls(websites: number, now: number): Calls {
  let cold = 0;
  let rolling = 0;
  let warm = 0;
  return {
    of(mode, read, hours) {
      const rollingPath = withWindow(read, `hours=${hours}`);
      if (mode === 'warm') {
        const website = warm++ % websites;
        return () => ({ website, path: rollingPath });
      }
      if (mode === 'rolling') return () => ({ website: rolling++ % websites, path: rollingPath });
      return () => {
        const turn = cold++;
        const round = Math.floor(turn / websites);
        const window =
          read.window === 'bounds' ? coldWindow(round, hours, now) : `hours=${coldLength(round)}`;
        return { website: turn % websites, path: withWindow(read, window) };
      };
    },
  };
}

function withWindow({ name, window }: BenchedRead, query: string): string {
  if (window === 'fixed') return `/${name}`;
  return `/${name}${name.includes('?') ? '&' : '?'}${query}`;
}

/** A read without bounds has a new window by a new length. Some of these reads accept at most a week. */
const coldLength = (round: number) => MOST_HOURS - (round % (MOST_HOURS / 2));
const MOST_HOURS = 168;

/** A cold window may be shorter than requested by this fraction. */
const SHORTER = 4;

/**
 * A window of whole hours. Its end moves back with each round until the window before it would begin before the traffic. Then the window
 * becomes an hour shorter.
 */
function coldWindow(round: number, hours: number, now: number): string {
  const ends = Math.max(1, DAYS * 24 - 2 * hours);
  const lengths = Math.max(1, Math.floor(hours / SHORTER));
  const end = Math.floor(now / HOUR_MS) * HOUR_MS - (round % ends) * HOUR_MS;
  const start = end - (hours - (Math.floor(round / ends) % lengths)) * HOUR_MS;
  return `start=${instant(start)}&end=${instant(end)}`;
}

const instant = (ms: number) => `${new Date(ms).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`;

/** Each call from the next of several sources. */
export function inRotation(sources: readonly (() => Call)[]): () => Call {
  let next = 0;
  return () => sources[next++ % sources.length]!();
}

/** The start of traffic that ends now. */
export function startOfTraffic(now: number): number {
  return now - DAYS * DAY_MS;
}
