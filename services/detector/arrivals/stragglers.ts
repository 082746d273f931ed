import type { Arrival } from '../../../shared/detection/arrival.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { IMPORTED_MS, intervalOf, SETTLED_MS } from './intervals.js';

/**
 * How long requests of an interval still arrive after newer ones of the website. For example, one server
 * sends every ten seconds, another one every twenty minutes. It is learned per hour, so that the number of
 * arrivals does not matter, and also from requests after closing. Plain JSON.
 */
export interface Stragglers {
  /** When the newest logs passed the end of an interval, in rising order, for the last hour. */
  passed: Moment[];
  /** The longest wait of each hour with stragglers, in milliseconds. */
  waits: HourWait[];
}

type Moment = [end: number, at: number];
type HourWait = [hour: number, waitMs: number];

/**
 * Intervals wait for a server that sends every hour, but not for a slower one: all alerts would be as late.
 */
const LONGEST_WAIT_MS = 70 * MINUTE_MS;
/** Waits of the last day count, so intervals wait at most a day for a removed server. */
const KNOWN_HOURS = 24;
/** Stragglers in fewer hours are retries. */
const LEAST_HOURS = 3;

export function newStragglers(): Stragglers {
  return { passed: [], waits: [] };
}

/**
 * Mutates.
 * @param since when the first range of the website was stored; older requests are an archive
 */
export function learnStragglers(
  stragglers: Stragglers,
  { storedAt, intervals }: Arrival,
  since: number,
): void {
  for (const start of intervals) {
    const end = start + INTERVAL_MS;
    if (start <= since || end > storedAt || storedAt - end >= IMPORTED_MS) continue;
    const passed = passedAt(stragglers, end);
    // The parts of one batch follow each other.
    if (passed !== null && storedAt - passed > SETTLED_MS)
      noteWait(stragglers, Math.floor(start / HOUR_MS), storedAt - Math.max(end, passed));
  }
}

/** Notes that the newest logs end at `through`. Mutates. */
export function notePassed({ passed }: Stragglers, through: number, storedAt: number): void {
  const end = intervalOf(through);
  if (end <= (passed.at(-1)?.[0] ?? 0)) return;
  passed.push([end, storedAt]);
  // Only the newest of the entries older than the longest wait is kept: every earlier end was passed before it.
  while (passed.length > 1 && passed[1]![1] < storedAt - LONGEST_WAIT_MS - INTERVAL_MS) passed.shift();
}

/** When logs newer than this time had arrived; null: not yet. */
export function passedAt({ passed }: Stragglers, end: number): number | null {
  return passed.find(([through]) => through >= end)?.[1] ?? null;
}

/** How long to wait for stragglers, in milliseconds. */
export function stragglersWait({ waits }: Stragglers, storedAt: number): number {
  const oldest = Math.floor(storedAt / HOUR_MS) - KNOWN_HOURS;
  const known = waits.filter(([hour]) => hour > oldest).map(([, waitMs]) => waitMs);
  const longest = known.sort((a, b) => b - a)[LEAST_HOURS - 1] ?? 0;
  return longest <= LONGEST_WAIT_MS ? longest : 0;
}

function noteWait(stragglers: Stragglers, hour: number, waitMs: number): void {
  const before = stragglers.waits.find(([known]) => known === hour)?.[1] ?? 0;
  const others = stragglers.waits.filter(([known]) => known !== hour && known > hour - KNOWN_HOURS);
  stragglers.waits = [...others, [hour, Math.max(before, waitMs)]];
}
