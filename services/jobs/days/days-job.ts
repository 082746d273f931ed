import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { ExportSchedule } from '../../../shared/control/model.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { dayMark, readDayMark } from '../../../shared/exports/day-requests.js';
import { type FileFormat, fileFormats } from '../../../shared/exports/file-format.js';
import { type FileStore, removeAll } from '../../../shared/files/file-store.js';
import type { JobResult, JobWebsite } from '../website-job.js';
import { daysToLookAt } from './days-to-look-at.js';
import { DAY_MANIFEST, type DaysDeps, dayFileName, storeDay } from './store-day.js';

/** No further day is begun after it: the runner ends a run after fifteen minutes, and the next one goes on. */
const BEGIN_MS = 5 * MINUTE_MS;

export interface DaysParts {
  readonly store: FileStore;
  /** Of the website; undefined where it has none. */
  readonly scheduleOf: (websiteId: string) => ExportSchedule | undefined;
  /** Days that its rows are kept. */
  readonly retentionDaysOf: (websiteId: string) => number;
  /** False: it was erased. */
  readonly isThere: (websiteId: string) => boolean;
  readonly rulesVersion: () => string;
}

/** Everything of a website's days lies below it. */
const daysPrefix = (websiteId: string) => `${websiteId}/requests/`;
const dayPrefix = (websiteId: string, day: number) =>
  `${daysPrefix(websiteId)}date=${new Date(day).toISOString().slice(0, 10)}/`;

/** What is read of a manifest again. */
const manifest = z.object({ file: z.string(), bytes: z.number(), stored: dayMark });

/**
 * Stores each finished day of websites that have a schedule, in a file of a fixed name: a run that was cut off is done again, and puts the same in the
 * same place. The manifest comes last, and a day without one is not there. Of the last days those whose rows are others by now are stored anew.
 */
export function daysJob({ store, scheduleOf, retentionDaysOf, isThere, rulesVersion }: DaysParts) {
  /** What the manifest says; null: there is none that can be read. */
  async function readManifest(prefix: string) {
    const key = `${prefix}${DAY_MANIFEST}`;
    if ((await store.stat(key)) === null) return null;
    const told = await text(await store.open(key));
    const read = manifest.safeParse(jsonOrNull(told));
    return read.success ? read.data : null;
  }

  /** @returns whether it was stored. */
  async function lookAt(
    websiteId: string,
    day: { at: number; isRecent: boolean },
    format: FileFormat,
    deps: DaysDeps,
  ): Promise<boolean> {
    const prefix = dayPrefix(websiteId, day.at);
    const before = await readManifest(prefix);
    const stored = await readDayMark(deps.clickhouse, websiteId, day.at);
    const name = dayFileName(format);
    const isStored = before !== null && before.file === name && isDeepStrictEqual(before.stored, stored);
    // A process that was taken for dead may have put its own file after the manifest of another one.
    const isWhole = isStored && (await store.stat(`${prefix}${name}`))?.bytes === before.bytes;
    deps.signal.throwIfAborted();
    if (!isWhole) {
      const told = { prefix, websiteId, day: day.at, format, stored, rulesVersion: rulesVersion() };
      await storeDay(store, told, deps);
    }
    await removeOthers(prefix, name);
    return !isWhole;
  }

  /** Files of other formats: of a schedule before, whose removal may have been cut off. */
  async function removeOthers(prefix: string, name: string): Promise<void> {
    for await (const { key } of store.list(`${prefix}requests.`))
      if (key !== `${prefix}${name}`) await store.remove(key);
  }

  async function daysThere(websiteId: string): Promise<ReadonlySet<string>> {
    const keys = new Set<string>();
    for await (const { key } of store.list(daysPrefix(websiteId)))
      if (key.endsWith(`/${DAY_MANIFEST}`)) keys.add(key);
    return keys;
  }

  return {
    name: 'days',
    everyMs: 3 * HOUR_MS,
    waitsFor: 'store' as const,
    isFor: ({ id }: Pick<JobWebsite, 'id'>) => scheduleOf(id) !== undefined,
    async run({ id }: Pick<JobWebsite, 'id'>, deps: DaysDeps): Promise<JobResult> {
      const schedule = scheduleOf(id);
      const format = fileFormats.find((each) => each === schedule?.format);
      if (schedule === undefined || format === undefined) return;
      const began = deps.now();
      const there = await daysThere(id);
      for (const day of daysToLookAt(schedule, { now: began, retentionDays: retentionDaysOf(id) })) {
        if (!day.isRecent && there.has(`${dayPrefix(id, day.at)}${DAY_MANIFEST}`)) continue;
        deps.signal.throwIfAborted();
        if (deps.now() - began > BEGIN_MS) return 'nothing_yet';
        if (await lookAt(id, day, format, deps))
          deps.logger.info({ website: id, day: new Date(day.at).toISOString() }, 'a day was stored');
        // Erased while it was stored: what was put since is nobody's.
        if (!isThere(id)) {
          await removeAll(store, daysPrefix(id));
          return;
        }
      }
    },
  };
}

function jsonOrNull(told: string): unknown {
  try {
    return JSON.parse(told);
  } catch {
    return null;
  }
}
