import type { DataChange } from '../../../shared/changes/data-change.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { DataPart } from '../../../shared/store/client.js';

/**
 * The versions of each website's data. A result is valid while the version from before its read is unchanged. Get the version before the
 * read begins: the read may miss changes that happen during it.
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
   * @param expiresAt when the first of its rows expires, in milliseconds; default: as soon as rows of `requests` may expire
   * @returns a higher number whenever these rows may have changed, also by expiry; null: the process can not know.
   */
  hourVersionOf(websiteId: string, hour: number, expiresAt?: number): number | null;
}

export interface RaisedVersions extends DataVersions {
  /** Call this when the changes are readable, or may be. */
  raise(changes: Iterable<DataChange>): void;
}

/** The newest version of several hours. @param hours since the epoch. @returns null: the process can not know */
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
/**
 * Rows and addresses expire without a notification, and the engine removes rows up to four hours later
 * (docs/decisions/020-retention-by-receipt.md). So results that may include expired rows are read again after this time.
 */
export const EXPIRY_MS = 10 * MINUTE_MS;

/** Versions of the last changes. `rows`: of the rows of all hours. */
type Changed = Record<DataPart | 'rows', number>;

const unchanged: Changed = { everything: 0, other_tables: 0, filled_hours: 0, rows: 0 };

interface ChangedWebsite extends Changed {
  /** The version of each changed hour since the epoch, for changes after that of `rows`. */
  readonly hours: Map<number, number>;
}

/** Versions that every write raises. @param now milliseconds since the epoch, for expiry */
export function createDataVersions(now: () => number = Date.now): RaisedVersions {
  // A logical clock: every change has its own number, and a version is the greatest number of its changes. A change that is forgotten
  // gets a greater number, so that no version falls or repeats.
  let clock = 0;
  const all: Changed = { ...unchanged };
  const websites = new Map<string, ChangedWebsite>();
  let entries = 0;
  const expiryVersionOf = createExpiry(now, () => ++clock);

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
    // A known hour already had rows.
    if (website.hours.size > before) website.filled_hours = clock;
    if (website.hours.size > MOST_HOURS) forgetHours(website);
  }

  function change({ websiteId, firstHour, lastHour, keepsRows = false }: DataChange): void {
    clock += 1;
    const changed = websiteId === null ? all : websiteOf(websiteId);
    changed.everything = clock;
    if (keepsRows) changed.other_tables = clock;
    else if (websiteId === null) changeAll();
    else if (canListHours(firstHour, lastHour)) changeHours(websiteOf(websiteId), firstHour!, lastHour!);
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

  return {
    versionOf: (websiteId, part = 'everything') =>
      String(Math.max(all[part], websites.get(websiteId)?.[part] ?? 0)),
    hourVersionOf(websiteId, hour, expiresAt = hour * HOUR_MS + YOUNGEST_EXPIRED_MS) {
      const website = websites.get(websiteId);
      const changed = Math.max(website?.rows ?? 0, website?.hours.get(hour) ?? 0);
      return Math.max(all.rows, changed, expiryVersionOf(expiresAt));
    },
    raise(changes) {
      for (const one of changes) {
        change(one);
        if (entries > MOST_ENTRIES) forgetAll();
      }
    },
  };
}

/** @returns the version of rows that expire at this time. It rises every EXPIRY_MS from then on. */
function createExpiry(now: () => number, nextVersion: () => number): (expiresAt: number) => number {
  let last = { version: 0, at: now() };
  return (expiresAt) => {
    const at = now();
    if (at < expiresAt) return 0;
    if (Math.abs(at - last.at) >= EXPIRY_MS) last = { version: nextVersion(), at };
    return last.version;
  };
}

/** Whether a change names its hours, and these are few enough for a version each. */
function canListHours(first: number | undefined, last: number | undefined): boolean {
  return (
    Number.isSafeInteger(first) &&
    Number.isSafeInteger(last) &&
    first! <= last! &&
    last! - first! < MOST_HOURS
  );
}
