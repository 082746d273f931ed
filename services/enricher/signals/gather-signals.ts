import type { MinuteSignal } from '../../../shared/detection/signal.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { EnrichedBlock } from '../enriched-block.js';
import { countRequest, type MinuteCounts, newMinute, toSignal } from './count-minute.js';
import { createRowReader } from './signal-row.js';

/** What the rows of a range say of each website in it, minute by minute. Pure; it holds less than the rows themselves. */

/** Of one range. */
export interface WebsiteMinutes {
  readonly websiteId: string;
  /** In rising order. */
  readonly minutes: readonly MinuteSignal[];
}

export interface SignalGatherer {
  /** @param rows of the block. */
  add(websiteId: string, block: EnrichedBlock, rows: Uint32Array): void;
  signals(): readonly WebsiteMinutes[];
}

/**
 * Older requests are stored and not signalled: who sends last month's logs today tells no news, and a signal of so many minutes would be
 * large. The last week, with which a new website begins, says what is usual there.
 */
const OLDEST_MS = 8 * DAY_MS;
/** Of older minutes only those addresses are told that stand out: a day of logs in one range would have a long list for each of 1,440 minutes. */
const LIVE_MS = 2 * HOUR_MS;
/** Ingest gives no request a time behind its receipt; this is for clocks that differ. */
const NEWEST_MS = HOUR_MS;

/** @param now milliseconds since the epoch */
export function createSignalGatherer(now: number): SignalGatherer {
  const oldest = Math.floor((now - OLDEST_MS) / MINUTE_MS);
  const live = Math.floor((now - LIVE_MS) / MINUTE_MS);
  const newest = Math.floor((now + NEWEST_MS) / MINUTE_MS);
  const websites = new Map<string, Map<number, MinuteCounts>>();

  return {
    add(websiteId, block, rows) {
      let minutes = websites.get(websiteId);
      if (minutes === undefined) {
        minutes = new Map();
        websites.set(websiteId, minutes);
      }
      let number = -1;
      let counts: MinuteCounts | undefined;
      const rowAt = createRowReader(block);
      for (const at of rows) {
        const of = Math.floor(block.columns.timestamp[at]! / MINUTE_MS);
        if (of < oldest || of > newest) continue;
        if (of !== number || counts === undefined) {
          number = of;
          counts = minutes.get(of);
          if (counts === undefined) {
            counts = newMinute(of * MINUTE_MS, of >= live);
            minutes.set(of, counts);
          }
        }
        countRequest(counts, rowAt(at));
      }
    },
    signals: () =>
      [...websites]
        .filter(([, minutes]) => minutes.size > 0)
        .map(([websiteId, minutes]) => ({
          websiteId,
          minutes: [...minutes.values()].sort((a, b) => a.minute - b.minute).map(toSignal),
        })),
  };
}
