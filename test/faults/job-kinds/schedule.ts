import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { command, type JobWebsite, type JobWorld, storeCrawls } from '../job-world.js';
import type { JobKind } from './job-kind.js';
import { runOf } from './job-results.js';
import { factsOf, filesBelow, readJson } from './stored-files.js';

/** The name in its manifest. */
const MANIFEST = '_manifest.json';
const CRAWLS_A_DAY = 300;
/** Days before today, so that they are finished at any time of the test. */
const SCHEDULED = [4, 3].map((before) => Math.floor(Date.now() / DAY_MS) * DAY_MS - before * DAY_MS);

const dateOf = (day: number) => new Date(day).toISOString().slice(0, 10);
const folderOf = (world: JobWorld, { id }: JobWebsite) => join(world.files, id);

interface Manifest {
  readonly date: string;
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** A website's days as Parquet. Days newer than those in the result are stored too, and are checked for orphans. */
export const schedule: JobKind = {
  name: 'schedule',
  async prepare(world, websites) {
    for (const day of SCHEDULED) await storeCrawls(world, websites, CRAWLS_A_DAY, day + DAY_MS - MINUTE_MS);
  },
  begin: async (world, { id: websiteId }) =>
    void (await command(world, {
      type: 'scheduleExport',
      websiteId,
      from: dateOf(SCHEDULED[0]!),
      format: 'parquet',
    })),
  // The newest day comes first, and the others are still to be stored.
  hasBegun: async (world, website) => (await filesBelow(folderOf(world, website))).length > 0,
  done: {
    run: 'done, 0 failures',
    days: SCHEDULED.map((day) => ({ date: dateOf(day), rows: CRAWLS_A_DAY, isWhole: true })),
  },
  files: filesOfDays,
  async result(world, website) {
    const stored = await filesBelow(folderOf(world, website));
    const wanted = await filesOfDays(world, website);
    const days = await Promise.all(manifestsIn(stored).map(storedResult));
    return {
      run: await runOf(world, website, 'days'),
      days: days.filter(({ date }) => SCHEDULED.map(dateOf).includes(date)),
      others: days.filter(({ isWhole }) => !isWhole),
      orphans: stored.filter((path) => !wanted.includes(path)).map((path) => basename(path)),
    };
  },
};

const manifestsIn = (paths: readonly string[]) => paths.filter((path) => basename(path) === MANIFEST);

/** Each day's manifest and the file that it names. */
async function filesOfDays(world: JobWorld, website: JobWebsite): Promise<string[]> {
  const manifests = manifestsIn(await filesBelow(folderOf(world, website)));
  const files = await Promise.all(
    manifests.map(async (path) => join(dirname(path), (await readJson<Manifest>(path)).file)),
  );
  return [...manifests, ...files];
}

async function storedResult(manifestPath: string) {
  const dayManifest = await readJson<Manifest>(manifestPath);
  const path = join(dirname(manifestPath), dayManifest.file);
  const facts = await factsOf(path);
  const bytes = (await readFile(path)).toString('latin1');
  const isParquet = bytes.startsWith('PAR1') && bytes.endsWith('PAR1');
  return {
    date: dayManifest.date,
    rows: dayManifest.rows,
    isWhole: isParquet && facts.bytes === dayManifest.bytes && facts.sha256 === dayManifest.sha256,
  };
}
