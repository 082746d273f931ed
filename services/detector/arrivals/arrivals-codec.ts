import { z } from 'zod';
import type { WebsiteArrivals } from './website-arrivals.js';

/** Encodes the arrivals of a website for the table `detector_arrivals`. */

const times = { firstAt: z.number(), newestAt: z.number() };
const moment = z.tuple([z.number(), z.number()]);
const saved = z.strictObject({
  version: z.literal(1),
  punctuality: z.strictObject({
    through: z.number(),
    since: z.number(),
    storedAt: z.number(),
    lateness: z.array(z.number()),
    batch: z
      .strictObject({ firstAt: z.number(), newestAt: z.number(), late: z.number(), isCounted: z.boolean() })
      .nullable(),
    isLive: z.boolean(),
    stragglers: z.strictObject({ passed: z.array(moment), waits: z.array(moment) }),
  }),
  next: z.number().nullable(),
  firstClosed: z.number().nullable(),
  liveFrom: z.number().nullable(),
  importedTo: z.number(),
  importedAt: z.number(),
  renewal: z.strictObject({ from: z.number(), to: z.number() }).nullable(),
  renewals: z.number(),
  open: z.array(z.tuple([z.number(), z.strictObject({ ...times, pendingAt: z.number() })])),
  imported: z.strictObject({ from: z.number(), to: z.number(), isLate: z.boolean(), ...times }).nullable(),
  changed: z.array(z.number()),
});

export function encodeArrivals({ open, changed, ...plain }: WebsiteArrivals): string {
  return JSON.stringify({ version: 1, ...plain, open: [...open], changed: [...changed] } satisfies z.input<
    typeof saved
  >);
}

/** @throws Error if the text is of another version or damaged */
export function decodeArrivals(text: string): WebsiteArrivals {
  const { version: _, open, changed, ...plain } = saved.parse(JSON.parse(text));
  return { ...plain, open: new Map(open), changed: new Set(changed) };
}
