import { z } from 'zod';
import { cutLists } from '../../../shared/detection/fold-signals.js';
import type { MinuteSignal } from '../../../shared/detection/signal.js';
import { weightOf, withoutLists } from './held-minute.js';
import type { OpenInterval, WebsiteSignals } from './website-signals.js';

/** A website's signals as one line of text, for the table `detector_states`. */

const VERSION = 1;
const numbers = z.array(z.number());
const schema = z.object({
  version: z.literal(VERSION),
  seen: z.array(z.tuple([z.string(), z.array(z.string())])),
  held: z.array(z.tuple([z.number(), z.number()])),
  delivery: z.object({ through: z.number(), storedAt: z.number(), lateness: numbers, steps: numbers }),
  next: z.number().nullable(),
  hasClosed: z.boolean(),
  open: z.array(
    z.tuple([z.number(), z.object({ counts: z.unknown(), firstAt: z.number(), newestAt: z.number() })]),
  ),
  closed: z.array(z.tuple([z.number(), numbers])),
  changed: numbers,
});

/** Open intervals that weigh more are saved with shorter lists of bots and addresses, or without any: an owner after this one has their counts alone. */
const MOST_SAVED_WEIGHT = 1024 ** 2;

/** Whole, else with their lists as short as those of closed intervals, else with counts alone. */
function savedIntervals(open: readonly (readonly [start: number, OpenInterval])[], weight: number) {
  if (weight <= MOST_SAVED_WEIGHT) return open;
  const withCounts = (of: (counts: MinuteSignal) => MinuteSignal) =>
    open.map(([start, one]) => [start, { ...one, counts: of(one.counts) }] as const);
  const short = withCounts(cutLists);
  const isLight = short.reduce((sum, [, { counts }]) => sum + weightOf(counts), 0) <= MOST_SAVED_WEIGHT;
  return isLight ? short : withCounts(withoutLists);
}

/** Without a line feed. */
export function encodeSignals(website: WebsiteSignals): string {
  const { held, open, openWeight, closed, changed, ...plain } = website;
  return JSON.stringify({
    version: VERSION,
    ...plain,
    held: [...held],
    open: savedIntervals([...open], openWeight),
    closed: [...closed],
    changed: [...changed],
  });
}

/** @throws Error where the text is none of this version */
export function decodeSignals(text: string): WebsiteSignals {
  const { version: _, held, open, closed, changed, ...plain } = schema.parse(JSON.parse(text));
  // Written by encodeSignals of this version: what the signals' codec let through.
  const intervals = open.map(
    ([start, one]) => [start, { ...one, counts: one.counts as MinuteSignal }] as const,
  );
  return {
    ...plain,
    held: new Map(held),
    open: new Map(intervals),
    openWeight: intervals.reduce((sum, [, { counts }]) => sum + weightOf(counts), 0),
    closed: new Map(closed),
    changed: new Set(changed),
  };
}
