import type { MinuteSignal } from '../../../shared/detection/signal.js';
import { type ListCounts, noLists, tellLists } from './count-lists.js';
import type { Outcome } from './outcome.js';
import type { SignalRow } from './signal-row.js';

/** The requests of one minute of one website, as they are counted: changed in place, since this is done for every row. */
export interface MinuteCounts {
  /** Its beginning, milliseconds since the epoch. */
  readonly minute: number;
  /** Its own, or one object that late minutes of an interval share. */
  readonly lists: ListCounts;
  requests: number;
  people: number;
  crawlers: number;
  aiBots: number;
  spoofed: number;
  undeclared: number;
  status4xx: number;
  notFound: number;
  rejected: number;
  status5xx: number;
  timed: number;
  timeTakenMs: number;
  bytesSent: number;
  botsNotFound: number;
  botsOther4xx: number;
  bots5xx: number;
}

/** The table takes up to 2^53 of each row. A thousand such minutes added up are still whole numbers. */
const MOST_BYTES = 2 ** 43;

/** @param minute its beginning, milliseconds since the epoch */
export function newMinute(minute: number, lists: ListCounts): MinuteCounts {
  return {
    minute,
    lists,
    requests: 0,
    people: 0,
    crawlers: 0,
    aiBots: 0,
    spoofed: 0,
    undeclared: 0,
    status4xx: 0,
    notFound: 0,
    rejected: 0,
    status5xx: 0,
    timed: 0,
    timeTakenMs: 0,
    bytesSent: 0,
    botsNotFound: 0,
    botsOther4xx: 0,
    bots5xx: 0,
  };
}

export function countInMinute(counts: MinuteCounts, row: SignalRow, outcome: Outcome): void {
  counts.requests += 1;
  counts.bytesSent += row.bytes_sent;
  if (row.time_taken_ms !== null) {
    counts.timed += 1;
    counts.timeTakenMs += row.time_taken_ms;
  }
  if (row.status >= 400) countFailure(counts, row, outcome);
  switch (row.judgement.traffic_class) {
    case 'human':
      counts.people += 1;
      break;
    case 'search_bot':
      counts.crawlers += 1;
      break;
    case 'ai_bot':
      counts.aiBots += 1;
      break;
    case 'spoofed_bot':
      counts.spoofed += 1;
      break;
    case 'undeclared_agent':
      counts.undeclared += 1;
  }
}

function countFailure(counts: MinuteCounts, { status, judgement }: SignalRow, outcome: Outcome): void {
  const isBot = judgement.traffic_class !== 'human';
  if (outcome.isRejected) counts.rejected += 1;
  if (outcome.isServerError) {
    counts.status5xx += 1;
    if (isBot) counts.bots5xx += 1;
  }
  if (status >= 500) return;
  counts.status4xx += 1;
  if (outcome.isNotFound) {
    counts.notFound += 1;
    if (isBot) counts.botsNotFound += 1;
  } else if (isBot) counts.botsOther4xx += 1;
}

/** What is told of the minute. @param tellsLists false: another minute tells them */
export function toSignal(counts: MinuteCounts, tellsLists: boolean): MinuteSignal {
  const { byBot, byClient, failingPaths } = tellsLists ? tellLists(counts.lists, counts.requests) : noLists;
  return {
    minute: counts.minute,
    requests: counts.requests,
    people: counts.people,
    bots: counts.requests - counts.people,
    crawlers: counts.crawlers,
    aiBots: counts.aiBots,
    spoofed: counts.spoofed,
    undeclared: counts.undeclared,
    status4xx: counts.status4xx,
    notFound: counts.notFound,
    rejected: counts.rejected,
    status5xx: counts.status5xx,
    timed: counts.timed,
    timeTakenMs: counts.timeTakenMs,
    bytesSent: Math.min(counts.bytesSent, MOST_BYTES),
    botsNotFound: counts.botsNotFound,
    botsOther4xx: counts.botsOther4xx,
    bots5xx: counts.bots5xx,
    byBot,
    byClient,
    failingPaths,
  };
}
