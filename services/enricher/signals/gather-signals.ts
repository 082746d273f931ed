import { INTERVAL_MINUTES } from '../../../shared/detection/health-metrics.js';
import type { MinuteSignal } from '../../../shared/detection/signal.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { EnrichedBlock } from '../enriched-block.js';
import type { BotCounts } from './count-bot.js';
import type { ClientCounts } from './count-client.js';
import { countInLists, entriesOf, type ListCounts, newLists } from './count-lists.js';
import { countInMinute, type MinuteCounts, newMinute, toSignal } from './count-minute.js';
import { createOutcomeReader, outcomeAt } from './outcome.js';
import { clearPlaces, createPlaceCache } from './place-cache.js';
import { createRowReader, rowAt } from './signal-row.js';

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
/**
 * Older minutes of one interval share their lists, since the detector folds them anyway; the newest of these minutes tells them, and of the
 * addresses those alone that stand out. A day of logs in one range would otherwise have long lists for each of 1,440 minutes.
 */
const LIVE_MS = 2 * HOUR_MS;
/** Entries of lists that are put in order in one piece. One minute's lists may have a few times as many. */
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
      addRows(minutes, block, rows, { oldest, live, newest });
    },
    *signals() {
      const told: WebsiteMinutes[] = [];
      let counted = 0;
      for (const [websiteId, byNumber] of websites) {
        if (byNumber.size === 0) continue;
        const minutes: MinuteSignal[] = [];
        const inOrder = [...byNumber.values()].sort((a, b) => a.minute - b.minute);
        for (const [index, counts] of inOrder.entries()) {
          const tellsLists = inOrder[index + 1]?.lists !== counts.lists;
          minutes.push(toSignal(counts, tellsLists));
          counted += tellsLists ? 1 + entriesOf(counts.lists) : 1;
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

/** Numbers of minutes, counted from the epoch. */
interface Bounds {
  readonly oldest: number;
  /** The first minute that has lists of its own. */
  readonly live: number;
  readonly newest: number;
}

function addRows(
  minutes: Map<number, MinuteCounts>,
  block: EnrichedBlock,
  rows: Uint32Array,
  { oldest, live, newest }: Bounds,
): void {
  const reader = createRowReader(block);
  const outcomes = createOutcomeReader(block);
  const { timestamp, texts } = block.columns;
  const caches = {
    clients: createPlaceCache<ClientCounts>(texts.client_ip.texts.length),
    bots: createPlaceCache<BotCounts>(block.judgement.values.length),
  };
  let last = -1;
  let counts: MinuteCounts | undefined;
  for (let index = 0; index < rows.length; index += 1) {
    const at = rows[index]!;
    const number = Math.floor(timestamp[at]! / MINUTE_MS);
    if (!(number >= oldest && number <= newest)) continue;
    if (number !== last || counts === undefined) {
      const before = counts?.lists;
      last = number;
      counts = minuteOf(minutes, number, live);
      if (counts.lists !== before) {
        clearPlaces(caches.clients);
        clearPlaces(caches.bots);
      }
    }
    const row = rowAt(reader, at);
    const outcome = outcomeAt(outcomes, at);
    countInMinute(counts, row, outcome);
    countInLists(counts.lists, row, outcome, caches, number);
  }
}

function minuteOf(minutes: Map<number, MinuteCounts>, number: number, live: number): MinuteCounts {
  const known = minutes.get(number);
  if (known !== undefined) return known;
  const counts = newMinute(number * MINUTE_MS, listsOf(minutes, number, live));
  minutes.set(number, counts);
  return counts;
}

function listsOf(minutes: Map<number, MinuteCounts>, number: number, live: number): ListCounts {
  if (number >= live) return newLists(true);
  const first = number - (number % INTERVAL_MINUTES);
  for (let other = first; other < Math.min(live, first + INTERVAL_MINUTES); other += 1) {
    const counts = minutes.get(other);
    if (counts !== undefined) return counts.lists;
  }
  return newLists(false);
}
