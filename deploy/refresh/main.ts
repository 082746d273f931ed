import { loadFeeds, rangesFolder } from '../../shared/crawlers/load-table.js';
import { refreshFeeds } from './refresh-feeds.js';

/**
 * `npm run refresh [feed …]`: downloads the address ranges that crawler operators publish into dated files
 * under shared/crawlers/data/ranges. Fails when a feed failed, so that a schedule notices; review the diff
 * before committing it.
 */

const wanted = new Set(process.argv.slice(2));
const feeds = loadFeeds();
const unknown = [...wanted].filter((name) => !feeds.some((feed) => feed.name === name));
if (unknown.length > 0) {
  console.error(`no such feed: ${unknown.join(', ')}; there are ${feeds.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const results = await refreshFeeds({
  feeds: wanted.size === 0 ? feeds : feeds.filter(({ name }) => wanted.has(name)),
  folder: rangesFolder,
  today: new Date().toISOString().slice(0, 10),
  timeoutMs: 20_000,
});
for (const { feed, prefixes, problem } of results) {
  console.log(
    `${feed.padEnd(40)} ${problem === null ? `${prefixes} prefixes` : `kept as it was: ${problem}`}`,
  );
}
process.exitCode = results.some(({ problem }) => problem !== null) ? 1 : 0;
