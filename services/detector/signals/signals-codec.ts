import { z } from 'zod';
import type { MinuteSignal } from '../../../shared/detection/signal.js';
import { storedMinute } from '../../../shared/detection/stored-minute.js';
import { requireNotLater } from '../stored-version.js';
import { weightOf, withoutLists } from './held-minute.js';
import type { WebsiteSignals } from './website-signals.js';

/** A website's signals as one line of text, for the table `detector_states`. */

const VERSION = 1;
const numbers = z.array(z.number());
const schema = z.object({
  version: z.literal(VERSION),
  seen: z.array(z.tuple([z.string(), z.array(z.string())])),
  held: z.array(z.tuple([z.number(), z.number()])).default([]),
  delivery: z.object({ through: z.number(), storedAt: z.number(), lateness: numbers, steps: numbers }),
  next: z.number().nullable(),
  hasClosed: z.boolean(),
  open: z.array(
    z.tuple([z.number(), z.object({ counts: z.unknown(), firstAt: z.number(), newestAt: z.number() })]),
  ),
  closed: z.array(z.tuple([z.number(), numbers])),
  changed: numbers,
});

/** Open intervals that weigh more are saved without their lists of bots, addresses and paths: an owner after this one has their counts alone. */
const MOST_SAVED_WEIGHT = 1024 ** 2;

/** Without a line feed. */
export function encodeSignals(website: WebsiteSignals): string {
  const { held, open, openWeight, closed, changed, ...plain } = website;
  const isLight = openWeight <= MOST_SAVED_WEIGHT;
  return JSON.stringify({
    version: VERSION,
    ...plain,
    held: [...held],
    open: isLight
      ? [...open]
      : [...open].map(([start, one]) => [start, { ...one, counts: withoutLists(one.counts) }]),
    closed: [...closed],
    changed: [...changed],
  });
}

/** @throws LaterReleaseError; Error where the text is none of this release's for another reason. */
export function decodeSignals(text: string): WebsiteSignals {
  const stored = JSON.parse(text);
  requireNotLater(stored, VERSION);
  const { version: _, held, open, closed, changed, ...plain } = schema.parse(stored);
  // Written by encodeSignals of this version: what the signals' codec let through.
  const intervals = open.map(
    ([start, one]) => [start, { ...one, counts: storedMinute(one.counts as MinuteSignal) }] as const,
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
