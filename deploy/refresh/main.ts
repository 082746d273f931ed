import { loadFeeds, rangesFolder } from '../../shared/crawlers/load-table.js';
import { spamListFile } from '../../shared/crawlers/referrers.js';
import { refreshFeeds } from './refresh-feeds.js';
import { refreshSpam, SPAM_FEED } from './refresh-spam.js';

/**
 * `npm run refresh [feed …]`: downloads the published address ranges of crawlers into dated files under
 * shared/crawlers/data/ranges, and the list of referrer spam. It fails if a feed failed, so a scheduler notices. Review the diff
 * before committing it.
 */

const wanted = new Set(process.argv.slice(2));
const feeds = loadFeeds();
const names = [...feeds.map(({ name }) => name), SPAM_FEED];
const unknown = [...wanted].filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`no such feed: ${unknown.join(', ')}; expected ${names.join(', ')}`);
  process.exit(2);
}

const isWanted = (name: string) => wanted.size === 0 || wanted.has(name);
const options = { today: new Date().toISOString().slice(0, 10), timeoutMs: 20_000 };
const results = await refreshFeeds({
  feeds: feeds.filter(({ name }) => isWanted(name)),
  folder: rangesFolder,
  ...options,
});
if (isWanted(SPAM_FEED)) results.push(await refreshSpam({ file: spamListFile, ...options }));
for (const { feed, entries, problem } of results) {
  console.log(`${feed.padEnd(40)} ${problem === null ? `${entries} entries` : `not changed: ${problem}`}`);
}
process.exitCode = results.some(({ problem }) => problem !== null) ? 1 : 0;
