import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DemoFormat, formatters } from '../../../deploy/demo/traffic/formats.js';
import { writeDailyBuild } from '../../../services/jobs/importance/write-daily-build.js';
import { countRows, withEngine } from '../engine/with-engine.js';
import { benchRequests } from '../lines.js';
import { startProgram } from '../pipeline/program.js';
import { sendOnce } from '../pipeline/rows-stored.js';
import { type BenchWebsite, createWebsites, domainOf } from '../pipeline/websites.js';
import { packLines } from '../uploads.js';
import { DAYS } from './calls.js';
import { copiesFor, copyShops } from './copy-shops.js';
import { copyData } from './data-folder.js';
import { recordCrawls, type Shop, storeFirstShop } from './shops.js';

export interface DataOptions {
  /** Contains the data of earlier runs with the same options, which are used again. */
  readonly folder: string;
  readonly websites: number;
  /** One website has so many in the last {@link DAYS} days. */
  readonly rowsOfShop: number;
  readonly format: DemoFormat;
  readonly source: string;
  readonly progress: (text: string) => void;
}

export interface ReadData {
  /** The data of a program are in `data` below it. */
  readonly folder: string;
  readonly websites: readonly BenchWebsite[];
  readonly shops: readonly Shop[];
  /** The end of the traffic, milliseconds since the epoch. */
  readonly now: number;
  /** In the table, over all websites. */
  readonly rows: number;
}

const LINES_PER_UPLOAD = 1_000;
const DESCRIPTION = 'bench.json';

/** A program's data with this many rows. The first website's rows came in as uploads, and the others are copies. */
export async function prepareData(options: DataOptions, rows: number): Promise<ReadData> {
  const name = `${options.websites}-${options.rowsOfShop}`;
  const first = await once(join(options.folder, `${name}-first`), (folder) => makeFirst(folder, options));
  return once(join(options.folder, `${name}-${rows}`), async (folder) => {
    await copyData(join(first.folder, 'data'), join(folder, 'data'));
    const copies = copiesFor(first.shops, rows, first.rows);
    const filled = await withEngine(join(folder, 'data', 'clickhouse'), async ({ clickhouse }) => {
      await copyShops(clickhouse, first.shops, copies, options.progress);
      return countRows(clickhouse);
    });
    return { ...first, folder, rows: filled };
  });
}

/** Makes the data, or finds those of an earlier run. They get their name when they are complete. */
async function once(folder: string, make: (folder: string) => Promise<ReadData>): Promise<ReadData> {
  const description = join(folder, DESCRIPTION);
  if (existsSync(description))
    return { ...(JSON.parse(await readFile(description, 'utf8')) as ReadData), folder };
  const making = `${folder}.making`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { recursive: true });
  const made = await make(making);
  await writeFile(join(making, DESCRIPTION), JSON.stringify(made));
  await rename(making, folder);
  return { ...made, folder };
}

async function makeFirst(folder: string, options: DataOptions): Promise<ReadData> {
  const { rowsOfShop: count, format, source, progress } = options;
  const now = Date.now();
  const ofShop = { seed: 'reads', days: DAYS, end: now, domain: domainOf(0) };
  const program = await startProgram(folder);
  let websites: BenchWebsite[];
  try {
    progress(`creating ${options.websites} websites, and sending ${count} lines`);
    websites = await createWebsites(program.dataDir, options.websites);
    const lines = [...benchRequests({ ...ofShop, count })].map(formatters[format]);
    const pipeline = await program.pipeline([websites[0]!.ingestKey]);
    await sendOnce(pipeline, await packLines(lines, LINES_PER_UPLOAD), source);
    progress('storing the shop');
    const demo = { ...ofShop, requestsPerDay: count / DAYS };
    await storeFirstShop(program, websites, demo, benchRequests({ ...ofShop, count }));
  } finally {
    await program.stop();
  }
  const shops = await recordCrawls(program.dataDir, websites);
  const rows = await withEngine(join(program.dataDir, 'clickhouse'), async ({ clickhouse }) => {
    await writeDailyBuild(clickhouse, { websiteId: websites[0]!.id, buildId: randomUUID(), now });
    return countRows(clickhouse);
  });
  return { folder, websites, shops, now, rows };
}
