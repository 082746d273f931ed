import { type Arrival, OLDEST_ARRIVAL_MS } from '../../../shared/detection/arrival.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { HOUR_MS } from '../../../shared/durations.js';
import { type ArrivalTimes, isDue, type OpenInterval } from './closing-time.js';
import type { DueInterval } from './due-interval.js';
import {
  HEALTH_CORRECTED_MS,
  HISTORY_MS,
  IMPORT_SETTLED_MS,
  IMPORTED_MS,
  intervalOf,
  LONGEST_IMPORT_MS,
  LONGEST_OUTAGE_MS,
  LONGEST_PAUSE_MS,
  LONGEST_SETTLING_MS,
} from './intervals.js';
import { learnPunctuality, newPunctuality, type Punctuality } from './punctuality.js';

/**
 * Which intervals of a website have requests that are not evaluated yet, and when each may close. It contains
 * times only: counts are read from the store when an interval closes. It reads no clock: times come from
 * arrivals and the caller. Plain data, some hundred bytes.
 */
export interface WebsiteArrivals {
  readonly punctuality: Punctuality;
  /** Start of the next interval to close; all before it are closed. Null: nothing has arrived yet. */
  next: number | null;
  /** The earliest closed interval. Null: none is closed, and older logs move `next` back. */
  firstClosed: number | null;
  /** The earliest interval with live requests. Null: none. */
  liveFrom: number | null;
  /** End of the newest interval with imported logs. */
  importedTo: number;
  /** Storage time of the newest imported logs that are evaluated. Their arrivals may be read again. */
  importedAt: number;
  /** The time span whose intervals are evaluated again, because older logs were imported. Null: none. */
  renewal: Renewal | null;
  /** How often all intervals of the website were evaluated again. */
  renewals: number;
  /** Intervals with live requests, by start. */
  readonly open: Map<number, OpenInterval>;
  /** The stretch of imported logs that is not evaluated yet. */
  imported: Import | null;
  /** Closed intervals with late requests: their health must be recounted. */
  readonly changed: Set<number>;
}

export interface Import extends ArrivalTimes {
  /** Milliseconds since the epoch; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Whether some of it is older than a closed interval, which restarts the website. */
  readonly isLate: boolean;
}

/** Milliseconds since the epoch; `to` is exclusive. */
export interface Renewal {
  readonly from: number;
  readonly to: number;
}

/** Intervals that are due, in order. */
export interface Due {
  readonly start: number;
  readonly end: number;
  /** Whether their requests are imported logs. */
  readonly isImported: boolean;
}

export function newWebsiteArrivals(): WebsiteArrivals {
  return {
    ...{ punctuality: newPunctuality(), next: null, firstClosed: null },
    ...{ liveFrom: null, importedTo: 0, importedAt: 0, renewal: null, renewals: 0 },
    ...{ open: new Map(), imported: null, changed: new Set() },
  };
}

/** Notes an arrival. Mutates. */
export function takeArrival(website: WebsiteArrivals, arrival: Arrival): void {
  learnPunctuality(website.punctuality, arrival);
  for (const start of arrival.intervals) takeInterval(website, start, arrival);
}

function takeInterval(website: WebsiteArrivals, start: number, arrival: Arrival): void {
  const { storedAt, receivedAt, hasPendingClaims } = arrival;
  if (website.next === null || (website.firstClosed === null && start < website.next)) website.next = start;
  const isLate = start < website.next;
  const isImported = start + INTERVAL_MS <= receivedAt - IMPORTED_MS;
  if (!isImported) website.liveFrom = Math.min(website.liveFrom ?? start, start);
  if (isLate && !(isImported && isHistory(website, storedAt))) {
    if (start >= storedAt - HEALTH_CORRECTED_MS) website.changed.add(start);
  } else if (isImported) {
    takeImported(website, start, { storedAt, isLate });
  } else {
    const known = website.open.get(start);
    const pendingAt = Math.max(known?.pendingAt ?? 0, hasPendingClaims ? storedAt : 0);
    website.open.set(start, { ...withTime(known, storedAt), pendingAt });
  }
}

function takeImported(
  website: WebsiteArrivals,
  start: number,
  { storedAt, isLate }: { storedAt: number; isLate: boolean },
): void {
  const { imported } = website;
  const end = start + INTERVAL_MS;
  website.importedTo = Math.max(website.importedTo, end);
  website.imported = {
    ...withTime(imported, storedAt),
    from: Math.min(imported?.from ?? start, start),
    to: Math.max(imported?.to ?? 0, end),
    isLate: isLate || imported?.isLate === true,
  };
}

/** Whether older logs may still belong to the website's first import, and are not evaluated yet. */
function isHistory({ punctuality, importedAt }: WebsiteArrivals, storedAt: number): boolean {
  return storedAt < punctuality.since + HISTORY_MS && storedAt > importedAt;
}

function withTime(known: ArrivalTimes | null | undefined, storedAt: number): ArrivalTimes {
  return {
    firstAt: Math.min(known?.firstAt ?? storedAt, storedAt),
    newestAt: Math.max(known?.newestAt ?? storedAt, storedAt),
  };
}

/**
 * The next intervals that may close, at most `most`; null: none is due. Intervals after imported logs wait
 * until those are closed.
 * @param through time up to which all arrivals are noted, milliseconds since the epoch
 */
export function dueNow(website: WebsiteArrivals, through: number, most: number): Due | null {
  skipUnobserved(website, through);
  const start = nextOf(website);
  const { imported, renewal } = website;
  if (start === null) return null;
  const longest = start + most * INTERVAL_MS;
  const isInImport = imported !== null && start < imported.to;
  if (isInImport && (imported.isLate || !isComplete(website, imported, through))) return null;
  if (renewal !== null) return dueAgain(website, renewal, start, longest);
  if (isInImport) return { start, end: Math.min(imported.to, longest), isImported: true };
  if (isMidImport(website, through)) return null;
  // A gap at the end of imported logs belongs to them.
  const isImported = website.liveFrom !== null && start < website.liveFrom;
  const last = Math.min(longest, archiveEnd(website, start), isImported ? website.liveFrom! : longest);
  let end = start;
  while (end < last && isDue(end, through, website)) end += INTERVAL_MS;
  return end === start ? null : { start, end, isImported };
}

/** After an archive, intervals without requests stay open, so that no silence begins. */
function archiveEnd({ punctuality, open }: WebsiteArrivals, start: number): number {
  const begin = intervalOf(punctuality.since);
  const archived = [...open.keys()].filter((interval) => !punctuality.isLive || interval < begin);
  const end = Math.max(...archived) + INTERVAL_MS;
  return punctuality.isLive && end <= start ? Number.POSITIVE_INFINITY : end;
}

function isComplete({ renewals }: WebsiteArrivals, imported: Import, through: number): boolean {
  // A sender of late logs that often pauses must not restart its website every two minutes.
  const pause = imported.isLate
    ? Math.min(IMPORT_SETTLED_MS * 2 ** renewals, LONGEST_PAUSE_MS)
    : IMPORT_SETTLED_MS;
  return through >= Math.min(imported.newestAt + pause, imported.firstAt + LONGEST_IMPORT_MS);
}

/** The next intervals of a renewal. Live intervals are not marked as imported. */
function dueAgain(
  { liveFrom, importedTo }: WebsiteArrivals,
  { to }: Renewal,
  start: number,
  longest: number,
): Due {
  const isImported = liveFrom === null || start < liveFrom;
  const bounds = [importedTo, liveFrom ?? 0].filter((bound) => bound > start);
  return { start, end: Math.min(to, longest, ...bounds), isImported };
}

/**
 * Restarts the website if imported logs that are older than closed intervals are complete. All intervals from
 * its first logs on are then evaluated again, with a new learned state. Mutates.
 * @returns whether it was restarted
 */
export function restartEvaluation(website: WebsiteArrivals, through: number): boolean {
  const { imported, next, firstClosed, renewal } = website;
  if (next === null || imported === null || !imported.isLate || !isComplete(website, imported, through))
    return false;
  const oldest = intervalOf(through - OLDEST_ARRIVAL_MS);
  const from = Math.max(Math.min(firstClosed ?? next, imported.from), oldest);
  website.renewal = { from, to: Math.max(next, imported.to, renewal?.to ?? 0) };
  Object.assign(website, { next: from, imported: null, importedAt: imported.newestAt });
  website.renewals += 1;
  return true;
}

/** Whether the next interval is the first of a renewal, which needs a new learned state. */
export function isBeginning({ renewal, next }: WebsiteArrivals): boolean {
  return renewal !== null && next === renewal.from;
}

/** Restarts the renewal for a new owner, which does not know how far the saved state is. Mutates. */
export function restartRenewal(website: WebsiteArrivals): void {
  if (website.renewal !== null) website.next = website.renewal.from;
}

/** The next interval to close, after any gap of unknown intervals. Null: nothing has arrived yet. */
function nextOf(website: WebsiteArrivals): number | null {
  const { next, imported, open, renewal } = website;
  if (next === null || renewal !== null || open.size === 0) return next;
  // Imported logs before a closed interval wait until the website restarts, and delay no interval.
  if (imported !== null && !imported.isLate) return next;
  const first = Math.min(...open.keys());
  return isHole(website.punctuality, next, first) ? first : next;
}

/**
 * Whether the time between two intervals is unknown: it is between an archive, which was made before the
 * website's first logs arrived, and the first live logs. These may be a batch of an hour. Earlier gaps are
 * silences: which of an archive's logs count as imported depends on when they arrive.
 */
function isHole({ since }: Punctuality, from: number, to: number): boolean {
  const begin = intervalOf(since);
  const isBatch = to >= begin - HOUR_MS && to - from > IMPORTED_MS;
  return from < to && from <= begin && (to >= begin || isBatch);
}

/** Marks the intervals as closed, so that later arrivals for them are late. Mutates. */
export function beginClosing(website: WebsiteArrivals, { start, end }: Due): void {
  const { imported, renewal } = website;
  website.next = end;
  website.firstClosed = Math.min(website.firstClosed ?? start, start);
  for (const interval of website.open.keys()) if (interval < end) website.open.delete(interval);
  const isImportDone = imported !== null && !imported.isLate && end >= imported.to;
  if (imported !== null && !imported.isLate && start < imported.to) website.importedAt = imported.newestAt;
  if (isImportDone) website.imported = null;
  if (isImportDone || renewal !== null) skipToLive(website, end);
  if (renewal !== null && website.next >= renewal.to) website.renewal = null;
}

/** Skips the unknown time between imported logs and the first live ones. Mutates. */
function skipToLive(website: WebsiteArrivals, end: number): void {
  const { punctuality, open, renewal, liveFrom, importedTo } = website;
  if (!punctuality.isLive) return;
  if (renewal !== null && end < renewal.to) {
    if (end >= importedTo && liveFrom !== null && isHole(punctuality, end, liveFrom)) website.next = liveFrom;
    return;
  }
  const firstOpen = Math.min(...open.keys());
  const isArchive = end <= intervalOf(punctuality.since);
  if (open.size > 0 && !isArchive && firstOpen - end > IMPORTED_MS) website.next = firstOpen;
}

/**
 * The due intervals as a list.
 * @param through as for {@link dueNow}
 */
export function intervalsOf({ start, end, isImported }: Due, through: number): DueInterval[] {
  return Array.from({ length: (end - start) / INTERVAL_MS }, (_, index) => {
    const from = start + index * INTERVAL_MS;
    const to = from + INTERVAL_MS;
    const hoursOld = Math.max(0, Math.floor((through - to) / HOUR_MS));
    return { start: from, end: to, ...(isImported && { hoursOld }) };
  });
}

/**
 * Whether the next file of an import may still arrive: closing empty intervals up to now would make it late.
 */
function isMidImport({ next, firstClosed, open, punctuality }: WebsiteArrivals, through: number): boolean {
  if (next === null || firstClosed === null || open.size > 0 || next >= intervalOf(through - IMPORTED_MS))
    return false;
  return through - punctuality.storedAt < LONGEST_SETTLING_MS;
}

/**
 * Skips intervals that are older than the log's arrivals, after a long outage of the detector: they are not
 * silent. Mutates.
 */
function skipUnobserved(website: WebsiteArrivals, through: number): void {
  const { next, firstClosed, imported, open, punctuality, renewal } = website;
  // The next part of an archive may be older.
  if (next === null || firstClosed === null || renewal !== null || imported !== null || !punctuality.isLive)
    return;
  const oldest = intervalOf(through - LONGEST_OUTAGE_MS);
  if (nextOf(website)! < oldest) website.next = Math.max(next, Math.min(...open.keys(), oldest));
}
