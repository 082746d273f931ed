import {
  decodeState,
  encodeState,
  newWebsiteState,
} from '../../../services/detector/evaluation/website-state.js';
import type { AlertType } from '../../../shared/alerts/alert.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { play } from './play.js';
import { type Happening, type Rates, SIMULATION_START, simulateWebsite } from './simulated-website.js';
import { keepAway } from './visitors.js';

/**
 * How strong a change must be to be detected. Each change is injected into the same traffic at several hours
 * of several websites.
 */

export const magnitudes = [1.5, 2, 3, 4, 5] as const;
const HISTORY_MS = 21 * DAY_MS;
const HOURS = [2, 9, 15, 21];

interface Injection {
  readonly lengthMs: number;
  readonly toldBy: readonly AlertType[];
  change(rates: Rates, magnitude: number, sinceMs: number): void;
  /** Length of a change that ends by itself. */
  lengthOf?(magnitude: number): number;
}

const injections: Readonly<Record<'spike' | 'drop' | 'drift' | 'gap', Injection>> = {
  /** Two hours with this many times the people. */
  spike: {
    lengthMs: 2 * HOUR_MS,
    toldBy: ['traffic_spike'],
    change: (rates, magnitude) => {
      rates.people *= magnitude;
    },
  },
  /** Two hours with this many times fewer people and bots. */
  drop: {
    lengthMs: 2 * HOUR_MS,
    toldBy: ['traffic_drop'],
    change: (rates, magnitude) => {
      rates.people /= magnitude;
      keepAway(rates.clients, 1 / magnitude);
      for (const bot of rates.bots) bot.mean /= magnitude;
    },
  },
  /** Six hours in which people increase to this many times. */
  drift: {
    lengthMs: 6 * HOUR_MS,
    toldBy: ['traffic_spike'],
    change: (rates, magnitude, sinceMs) => {
      rates.people *= 1 + (magnitude - 1) * (sinceMs / (6 * HOUR_MS));
    },
  },
  /** This many quarters of an hour without logs. */
  gap: {
    lengthMs: 2 * HOUR_MS,
    toldBy: ['log_silence'],
    lengthOf: (magnitude) => Math.round(magnitude * 3) * 5 * MINUTE_MS,
    change: (rates) => {
      rates.isDelivered = false;
    },
  },
};
export type InjectionName = keyof typeof injections;

/**
 * Shares of the injections that were reported while they lasted, by name and in the order of {@link
 * magnitudes}.
 */
export function benchInjections(
  seed: string,
  websites: number,
): ReadonlyMap<InjectionName, readonly number[]> {
  const found = new Map(
    Object.keys(injections).map((name) => [name as InjectionName, magnitudes.map(() => 0)] as const),
  );
  for (let index = 0; index < websites; index++) {
    const website = simulateWebsite(`${seed} injected ${index}`, 4);
    const state = newWebsiteState(website.seed);
    let now = SIMULATION_START;
    for (const hour of HOURS) {
      const start = SIMULATION_START + HISTORY_MS + hour * HOUR_MS;
      play(state, website, { start: now, end: start });
      now = start;
      const saved = encodeState(state);
      for (const [name, counts] of found) {
        magnitudes.forEach((magnitude, place) => {
          const { lengthMs, toldBy, change, lengthOf } = injections[name];
          const end = start + lengthMs;
          const injected: Happening = {
            start,
            end: start + (lengthOf?.(magnitude) ?? lengthMs),
            change: (rates, at) => change(rates, magnitude, at - start),
          };
          const alerts = play(decodeState(saved), website, { start, end }, [injected]);
          if (alerts.some(({ type }) => toldBy.includes(type))) counts[place]! += 1;
        });
      }
    }
  }
  const trials = websites * HOURS.length;
  return new Map([...found].map(([name, counts]) => [name, counts.map((count) => count / trials)]));
}
