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

/** Loads the newest crawler table, and the address ranges of every day, from disk. */

/** Categories with a file; only the generic packages recognise 'other'. */
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
 * @throws ZodError that names the entry which does not match the schema.
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

/** The feeds of published ranges that families use, with their refresh guards. */
export function loadFeeds(folder: string = dataFolder): Feed[] {
  return z.array(feedSchema).parse(JSON.parse(readFileSync(`${folder}/feeds.json`, 'utf8')));
}

/** `npm run refresh` writes `<date>-<feed>.json` here. */
export const rangesFolder = `${dataFolder}ranges`;

/** All snapshots, oldest first, by feed name. @throws ZodError that describes an invalid file. */
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
