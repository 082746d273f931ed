import { demoTraffic } from '../../../deploy/demo/traffic/demo-traffic.js';
import { type DemoFormat, formatters } from '../../../deploy/demo/traffic/formats.js';

export interface RecentLines {
  /** Lines in all, exactly. */
  readonly count: number;
  readonly days: number;
  /** Milliseconds since the epoch; the last lines are just before it. */
  readonly end: number;
  readonly domain: string;
}

/** Bursts make the generator's volume uneven, most of all where it is small: it makes more, and lines are left out evenly. */
const MORE_A_DAY = 1_000;

/** The demo's traffic of the last days, in the order of time. */
export function* recentLines(
  format: DemoFormat,
  { count, days, end, domain }: RecentLines,
): Generator<string, void, undefined> {
  const requestsPerDay = (1.08 * count) / days + MORE_A_DAY;
  const all = () => demoTraffic({ seed: 'reads', days, end, domain, requestsPerDay });
  let made = 0;
  for (const _ of all()) made++;
  if (made < count) throw new Error(`the generator made ${made} requests where ${count} were wanted`);
  let index = 0;
  for (const request of all()) {
    const taken = Math.floor((index * count) / made);
    index++;
    if (Math.floor((index * count) / made) > taken) yield formatters[format](request);
  }
}
