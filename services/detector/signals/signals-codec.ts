import { z } from 'zod';
import type { MinuteSignal } from '../../../shared/detection/signal.js';
import { requireNotLater } from '../stored-version.js';
import type { WebsiteSignals } from './website-signals.js';

/** A website's signals as one line of text, for the table `detector_states`. */

const VERSION = 1;
const numbers = z.array(z.number());
const schema = z.object({
  version: z.literal(VERSION),
  seen: z.array(z.tuple([z.string(), z.array(z.string())])),
  delivery: z.object({ through: z.number(), storedAt: z.number(), lateness: numbers, steps: numbers }),
  next: z.number().nullable(),
  hasClosed: z.boolean(),
  open: z.array(
    z.tuple([z.number(), z.object({ counts: z.unknown(), firstAt: z.number(), newestAt: z.number() })]),
  ),
  closed: z.array(z.tuple([z.number(), numbers])),
  changed: numbers,
});

/** Without a line feed. */
export function encodeSignals(website: WebsiteSignals): string {
  const { open, closed, changed, ...plain } = website;
  return JSON.stringify({
    version: VERSION,
    ...plain,
    open: [...open],
    closed: [...closed],
    changed: [...changed],
  });
}

/** @throws LaterReleaseError; Error where the text is none of this release's for another reason. */
export function decodeSignals(text: string): WebsiteSignals {
  const stored = JSON.parse(text);
  requireNotLater(stored, VERSION);
  const { version: _, open, closed, changed, ...plain } = schema.parse(stored);
  return {
    ...plain,
    // Written by encodeSignals of this version: what the signals' codec let through.
    open: new Map(open.map(([start, one]) => [start, { ...one, counts: one.counts as MinuteSignal }])),
    closed: new Map(closed),
    changed: new Set(changed),
  };
}
