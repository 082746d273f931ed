import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type BotCategory, botCategories } from '../requests/enriched-request.js';
import {
  type CrawlerEntry,
  crawlerSchema,
  type FamilyEntry,
  type Feed,
  familySchema,
  feedSchema,
  type RangeSnapshot,
  rangeSnapshotSchema,
} from './table-schema.js';

/** The newest crawler table, and the address ranges of every day, as they lie on disk. */

/** Every category that has a file; 'other' is what only the breadth packages know. */
const categoryFiles = botCategories.filter((category) => category !== 'other');

export interface CrawlerTable {
  /** Folder name, e.g. crawlers-2026-11. */
  readonly version: string;
  readonly crawlers: ReadonlyArray<CrawlerEntry & { readonly category: BotCategory }>;
  readonly families: readonly FamilyEntry[];
}

const dataFolder = fileURLToPath(new URL('./data/', import.meta.url));

/**
 * Reads the newest table.
 * @throws ZodError naming the entry that does not fit the schema.
 */
export function loadCrawlerTable(folder: string = dataFolder): CrawlerTable {
  const version = readdirSync(folder)
    .filter((name) => /^crawlers-\d{4}-\d{2}$/.test(name))
    .sort()
    .at(-1);
  if (version === undefined) throw new Error(`no crawlers-<year>-<month> folder in ${folder}`);
  const read = (file: string): unknown =>
    JSON.parse(readFileSync(`${folder}/${version}/${file}.json`, 'utf8'));
  return {
    version,
    crawlers: categoryFiles.flatMap((category) =>
      z
        .array(crawlerSchema)
        .parse(read(category))
        .map((entry) => ({ ...entry, category })),
    ),
    families: z.array(familySchema).parse(read('families')),
  };
}

/** The feeds of published ranges that families name, with the guards of their refresh. */
export function loadFeeds(folder: string = dataFolder): Feed[] {
  return z.array(feedSchema).parse(JSON.parse(readFileSync(`${folder}/feeds.json`, 'utf8')));
}

/** Where `npm run refresh` writes `<date>-<feed>.json`. */
export const rangesFolder = `${dataFolder}ranges`;

/** Every snapshot that is kept, oldest first, by feed name. @throws ZodError naming the file's fault. */
export function loadRangeHistory(folder: string = rangesFolder): Map<string, RangeSnapshot[]> {
  const history = new Map<string, RangeSnapshot[]>();
  // Names start with the ISO date.
  const files = readdirSync(folder).filter((file) => /^\d{4}-\d{2}-\d{2}-.+\.json$/.test(file));
  for (const file of files.sort()) {
    const snapshot = rangeSnapshotSchema.parse(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')));
    const earlier = history.get(snapshot.feed);
    if (earlier === undefined) history.set(snapshot.feed, [snapshot]);
    else earlier.push(snapshot);
  }
  return history;
}
