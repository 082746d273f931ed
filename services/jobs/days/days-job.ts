import { isDeepStrictEqual } from 'node:util';
import type { ExportSchedule } from '../../../shared/control/domain/model.js';
import { type FileFormat, fileFormats } from '../../../shared/control/exports/file-format.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { type FileStore, removeAll } from '../../../shared/files/file-store.js';
import { dayPrefix, daysPrefix, readDayMark } from '../../../shared/reads/exports/day-requests.js';
import type { JobResult, JobWebsite } from '../runner/website-job.js';
import { daysToLookAt } from './days-to-look-at.js';
import { DAY_MANIFEST, type DaysDeps, dayFileName, storeDay } from './store-day.js';
import { createStoredDays, type Files, hasFile, lostDays } from './stored-days.js';

const EVERY_MS = 3 * HOUR_MS;
/** No further day is started after it: the runner ends a run after fifteen minutes, and the next run continues. */
const BEGIN_MS = 5 * MINUTE_MS;

export interface DaysParts {
  readonly store: FileStore;
  /** The website's schedule; undefined: none. */
  readonly scheduleOf: (websiteId: string) => ExportSchedule | undefined;
  /** The number of days for which its rows are kept. */
  readonly retentionDaysOf: (websiteId: string) => number;
  /** False: the website was erased. */
  readonly isThere: (websiteId: string) => boolean;
  /** Whether it keeps addresses for as long as requests. */
  readonly keepsAddresses: (websiteId: string) => boolean;
  readonly rulesVersion: () => string;
}

type DaysWebsite = Pick<JobWebsite, 'id' | 'createdAt'>;

/**
 * Stores each finished day of websites with a schedule, in a file with a fixed name, so repeating an interrupted run writes the same files. The manifest comes
 * last: a day without one is not complete. Recent days are stored again if their rows changed, and any day if its file differs from its manifest.
 */
export function daysJob(parts: DaysParts) {
  const { readManifest, removeOthers, filesThere } = createStoredDays(parts.store);
  const { store, scheduleOf, retentionDaysOf, isThere, keepsAddresses, rulesVersion } = parts;

  /** Whether the day may need to be stored. Manifests of older days are read in rotation, each about once a day, because there may be hundreds. */
  async function isInQuestion(
    { at, isRecent }: { at: number; isRecent: boolean },
    { prefix, there, now }: { prefix: string; there: Files; now: number },
  ): Promise<boolean> {
    if (isRecent || !there.has(`${prefix}${DAY_MANIFEST}`) || !hasFile(there, prefix)) return true;
    const turns = DAY_MS / EVERY_MS;
    if (Math.floor(at / DAY_MS) % turns !== Math.floor(now / EVERY_MS) % turns) return false;
    const told = await readManifest(prefix);
    return told === null || there.get(`${prefix}${told.file}`) !== told.bytes;
  }

  /** @returns whether it was stored */
  async function lookAt(
    { id: websiteId, createdAt }: DaysWebsite,
    day: { at: number },
    format: FileFormat,
    deps: DaysDeps,
  ): Promise<boolean> {
    const prefix = dayPrefix(websiteId, day.at);
    const before = await readManifest(prefix);
    const mark = await readDayMark(deps.clickhouse, websiteId, day.at);
    const stored = { ...mark, addresses: keepsAddresses(websiteId) };
    // A day before the website was created counts only if it has rows.
    if (before === null && stored.rows === 0 && day.at + DAY_MS <= Date.parse(createdAt)) return false;
    const name = dayFileName(format);
    const isStored =
      before !== null &&
      before.file === name &&
      before.rows >= before.stored.rows &&
      isDeepStrictEqual(before.stored, stored);
    // A process that was presumed dead may have put its own file after another process's manifest.
    const isWhole = isStored && (await store.stat(`${prefix}${name}`))?.bytes === before.bytes;
    deps.signal.throwIfAborted();
    if (!isWhole) {
      const told = { prefix, websiteId, day: day.at, format, stored, rulesVersion: rulesVersion() };
      await storeDay(store, told, deps);
    }
    await removeOthers(prefix, name);
    return !isWhole;
  }

  return {
    name: 'days',
    everyMs: EVERY_MS,
    waitsFor: 'store' as const,
    scheduledFor: 'all' as const,
    isFor: ({ id }: Pick<JobWebsite, 'id'>) => scheduleOf(id) !== undefined,
    async run(website: DaysWebsite, deps: DaysDeps): Promise<JobResult> {
      const { id } = website;
      const schedule = scheduleOf(id);
      const format = fileFormats.find((each) => each === schedule?.format);
      if (schedule === undefined || format === undefined) return;
      const began = deps.now();
      const there = await filesThere(id);
      const days = daysToLookAt(schedule, { now: began, retentionDays: retentionDaysOf(id) });
      const lost = lostDays(there, new Set(days.map(({ at }) => dayPrefix(id, at))));
      if (lost.length > 0)
        deps.logger.warn(
          { website: id, days: lost.length, first: lost[0] },
          'the files of stored days are missing, and their rows are deleted',
        );
      for (const day of days) {
        deps.signal.throwIfAborted();
        if (deps.now() - began > BEGIN_MS) return 'nothing_yet';
        if (!(await isInQuestion(day, { prefix: dayPrefix(id, day.at), there, now: began }))) continue;
        if (await lookAt(website, day, format, deps))
          deps.logger.info({ website: id, day: new Date(day.at).toISOString() }, 'a day was stored');
        // The website was erased meanwhile, so its new files are removed.
        if (!isThere(id)) {
          await removeAll(store, daysPrefix(id));
          return;
        }
      }
    },
  };
}
