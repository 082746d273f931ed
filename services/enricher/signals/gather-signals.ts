import type { MinuteSignal } from '../../../shared/detection/signal.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { EnrichedBlock } from '../enriched-block.js';
import type { BotCounts } from './count-bot.js';
import type { ClientCounts } from './count-client.js';
import { countRequest, type MinuteCounts, newMinute, toSignal } from './count-minute.js';
import { createOutcomeReader } from './outcome.js';
import { createPlaceCache } from './place-cache.js';
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
  /** Yields after each millisecond's work or so, so that the event loop can turn. Nothing is done before it is run. */
  signals(): Generator<undefined, readonly WebsiteMinutes[], undefined>;
}

/**
 * Older requests are stored and not signalled: who sends last month's logs today tells no news, and a signal of so many minutes would be
 * large. The last week, with which a new website begins, says what is usual there.
 */
const OLDEST_MS = 8 * DAY_MS;
/** Of older minutes only those addresses are told that stand out: a day of logs in one range would have a long list for each of 1,440 minutes. */
const LIVE_MS = 2 * HOUR_MS;
/** Entries of lists that are put in order in one piece. One minute may have a few times as many. */
const COUNTED_AT_ONCE = 1_000;
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
      const outcomeAt = createOutcomeReader(block);
      const { client_ip } = block.columns.texts;
      const { judgement } = block;
      const caches = {
        clients: createPlaceCache<ClientCounts>(client_ip.texts.length),
        bots: createPlaceCache<BotCounts>(judgement.values.length),
      };
      for (let index = 0; index < rows.length; index += 1) {
        const at = rows[index]!;
        const of = Math.floor(block.columns.timestamp[at]! / MINUTE_MS);
        if (of < oldest || of > newest) continue;
        if (of !== number || counts === undefined) {
          number = of;
          counts = minutes.get(of);
          if (counts === undefined) {
            counts = newMinute(of * MINUTE_MS, of >= live);
            minutes.set(of, counts);
          }
          caches.clients.clear();
          caches.bots.clear();
        }
        const place = { address: client_ip.ids[at]!, judgement: judgement.ids[at]! };
        countRequest(counts, rowAt(at), outcomeAt(at), caches, place);
      }
    },
    *signals() {
      const told: WebsiteMinutes[] = [];
      let counted = 0;
      for (const [websiteId, byNumber] of websites) {
        if (byNumber.size === 0) continue;
        const minutes: MinuteSignal[] = [];
        for (const counts of [...byNumber.values()].sort((a, b) => a.minute - b.minute)) {
          minutes.push(toSignal(counts));
          counted += 1 + counts.clients.size + counts.bots.size + counts.failing.size;
          if (counted < COUNTED_AT_ONCE) continue;
          counted = 0;
          yield;
        }
        told.push({ websiteId, minutes });
      }
      return told;
    },
  };
}
