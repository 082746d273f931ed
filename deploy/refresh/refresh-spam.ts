import { readFile, rename, writeFile } from 'node:fs/promises';
import { changesTooMuch } from '../../shared/crawlers/feed-guards.js';
import { problemOf } from '../../shared/crawlers/next-list.js';
import { type SpamList, spamHost, spamListSchema } from '../../shared/crawlers/referrers.js';
import { download, type RefreshResult } from './refresh-feeds.js';

export const SPAM_FEED = 'referrer-spam';

export interface RefreshSpamOptions {
  /** Path of the list, which names its source. */
  readonly file: string;
  /** ISO date of the new list. */
  readonly today: string;
  readonly timeoutMs: number;
}

/** Replaces the list of referrer spam, one host per line. A list that fails, or has shrunk by half or grown tenfold, changes nothing. */
export async function refreshSpam({ file, today, timeoutMs }: RefreshSpamOptions): Promise<RefreshResult> {
  try {
    const last = spamListSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    const hosts = hostsIn(await download(last.source, timeoutMs));
    if (changesTooMuch(last.hosts.length, hosts.length))
      throw new Error(`${hosts.length} hosts, ${last.hosts.length} before`);
    const next: SpamList = { ...last, as_of: today, hosts };
    await writeFile(`${file}.tmp`, `${JSON.stringify(spamListSchema.parse(next), null, 1)}\n`);
    await rename(`${file}.tmp`, file);
    return { feed: SPAM_FEED, entries: hosts.length, problem: null };
  } catch (error) {
    return { feed: SPAM_FEED, entries: null, problem: problemOf(error) };
  }
}

/** Sorted and distinct hosts; other lines are skipped. */
function hostsIn(body: string): string[] {
  const lines = body.split('\n').map((line) => line.trim().toLowerCase());
  return [...new Set(lines)].filter((line) => spamHost.safeParse(line).success).sort();
}
