import type { DataChange } from '../../../shared/changes/data-change.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { DataPart } from '../../../shared/store/client.js';

/**
 * The versions of each website's data, as far as this process knows it. While a version is unchanged, a result that was read under it is
 * valid. Get a version before a read begins: the read may miss changes that happen during it.
 */
export interface DataVersions {
  /**
   * @param part default: everything that an answer about the website may depend on
   * @returns another text whenever this data may have changed; null: the process can not know. Expiry is not included.
   */
  versionOf(websiteId: string, part?: DataPart): string | null;
  /**
   * The version of the website's rows of `requests` and of rollups in an hour. Late verdicts change no row
   * (docs/decisions/009-late-verdicts.md).
   * @param hour whole hours since the epoch (UTC)
   * @param expiresAt when the first of its rows expires, in milliseconds; default: the earliest time of rows of `requests`
   * @returns a higher number whenever these rows may have changed, also by expiry; null: the process can not know.
   */
  hourVersionOf(websiteId: string, hour: number, expiresAt?: number): number | null;
}

export interface RaisedVersions extends DataVersions {
  /** Call this when the changes are readable, or may be. */
  raise(changes: Iterable<DataChange>): void;
}

/** The version of these hours together. @param hours since the epoch. @returns null: the process can not know */
export function newestVersion(
  hours: Iterable<number>,
  versionOf: (hour: number) => number | null,
): number | null {
  let newest = 0;
  for (const hour of hours) {
    const version = versionOf(hour);
    if (version === null) return null;
    newest = Math.max(newest, version);
  }
  return newest;
}

/** For a process that can not follow the writes of others. */
export const unknownVersions: DataVersions = { versionOf: () => null, hourVersionOf: () => null };

/** A website with more changed hours gets one version for all its hours. */
const MOST_HOURS = 2_000;
/** Websites and hours in memory; beyond them, everything counts as changed once. Each takes some 50 bytes. */
const MOST_ENTRIES = 200_000;
/** Rows of younger hours do not expire: the shortest retention is 30 days after receipt, and clocks of senders may be fast. */
const YOUNGEST_EXPIRED_MS = 29 * DAY_MS;
/** The engine removes expired rows at any time, without a notification (docs/decisions/020-retention-by-receipt.md). */
const EXPIRY_MS = 10 * MINUTE_MS;

/** Times of the last changes. */
type Changed = Record<DataPart | 'rows', number>;

const unchanged: Changed = { everything: 0, other_tables: 0, filled_hours: 0, rows: 0 };

interface ChangedWebsite extends Changed {
  readonly hours: Map<number, number>;
}

/** Versions that every write raises. @param now milliseconds since the epoch, for expiry */
export function createDataVersions(now: () => number = Date.now): RaisedVersions {
  // Every change has its own time, and a version is the latest time that concerns it. So a version never falls or repeats, also when its
  // own time is forgotten in favour of a later one.
  let clock = 0;
  const all: Changed = { ...unchanged };
  const websites = new Map<string, ChangedWebsite>();
  let entries = 0;
  let expiry = { version: 0, at: now() };

  function websiteOf(websiteId: string): ChangedWebsite {
    const known = websites.get(websiteId);
    if (known !== undefined) return known;
    const website: ChangedWebsite = { ...unchanged, hours: new Map() };
    websites.set(websiteId, website);
    entries += 1;
    return website;
  }

  function forgetHours(website: ChangedWebsite): void {
    website.rows = clock;
    entries -= website.hours.size;
    website.hours.clear();
  }

  function changeHours(website: ChangedWebsite, first: number, last: number): void {
    const before = website.hours.size;
    for (let hour = first; hour <= last; hour += 1) website.hours.set(hour, clock);
    entries += website.hours.size - before;
    // A further insert into an hour fills no other hour.
    if (website.hours.size > before) website.filled_hours = clock;
    if (website.hours.size > MOST_HOURS) forgetHours(website);
  }

  function change({ websiteId, firstHour, lastHour, keepsRows = false }: DataChange): void {
    clock += 1;
    const changed = websiteId === null ? all : websiteOf(websiteId);
    changed.everything = clock;
    if (keepsRows) changed.other_tables = clock;
    else if (websiteId === null) changeAll();
    else if (isSpan(firstHour, lastHour)) changeHours(websiteOf(websiteId), firstHour!, lastHour!);
    else {
      changed.other_tables = clock;
      changed.filled_hours = clock;
      forgetHours(websiteOf(websiteId));
    }
  }

  function changeAll(): void {
    Object.assign(all, { everything: clock, other_tables: clock, filled_hours: clock, rows: clock });
  }

  function forgetAll(): void {
    websites.clear();
    entries = 0;
    changeAll();
  }

  function expiryOf(expiresAt: number): number {
    const at = now();
    if (at < expiresAt) return 0;
    if (Math.abs(at - expiry.at) >= EXPIRY_MS) {
      clock += 1;
      expiry = { version: clock, at };
    }
    return expiry.version;
  }

  return {
    versionOf: (websiteId, part = 'everything') =>
      String(Math.max(all[part], websites.get(websiteId)?.[part] ?? 0)),
    hourVersionOf(websiteId, hour, expiresAt = hour * HOUR_MS + YOUNGEST_EXPIRED_MS) {
      const website = websites.get(websiteId);
      const changed = Math.max(website?.rows ?? 0, website?.hours.get(hour) ?? 0);
      return Math.max(all.rows, changed, expiryOf(expiresAt));
    },
    raise(changes) {
      for (const one of changes) {
        change(one);
        if (entries > MOST_ENTRIES) forgetAll();
      }
    },
  };
}

/** Whether the hours are worth listing. */
function isSpan(first: number | undefined, last: number | undefined): boolean {
  return (
    Number.isSafeInteger(first) &&
    Number.isSafeInteger(last) &&
    first! <= last! &&
    last! - first! < MOST_HOURS
  );
}
