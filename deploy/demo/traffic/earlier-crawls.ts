import { DAY_MS } from '../../../shared/durations.js';
import { addressPool } from './address.js';
import { searchCrawlers } from './crawler-list.js';
import type { DemoRequest } from './demo-request.js';
import { type DemoOptions, demoIncidents } from './demo-traffic.js';
import { pastLookbooks } from './lookbook.js';
import { createRandom } from './random.js';
import { createShopServer } from './shop-server.js';

/** Days before the end of the demo's time, so many that no page of them was fetched within a month. */
const FIRST_DAY = 80;
const LAST_DAY = 35;
const FETCHES_OF_A_PAGE = 4;
const CRAWLERS: readonly string[] = ['Googlebot', 'bingbot', 'Applebot'];

/** What search crawlers fetched weeks before the demo's time and not since, in the order of time. */
export function earlierCrawls(options: DemoOptions): DemoRequest[] {
  // Seeded apart from the week, which stays as it is.
  const random = createRandom(`${options.seed}, earlier crawls`);
  const serve = createShopServer(options.domain, demoIncidents(options), random);
  const crawlers = searchCrawlers.filter(({ bot }) => CRAWLERS.includes(bot));
  const requests = pastLookbooks.flatMap((page) =>
    Array.from({ length: FETCHES_OF_A_PAGE }, () => {
      const { bot, actor, userAgent, networks, country } = random.pick(crawlers);
      const ip = addressPool(networks)(random);
      const daysAgo = LAST_DAY + random.next() * (FIRST_DAY - LAST_DAY);
      const client = { ip, country, userAgent, protocol: 'HTTP/1.1', actor, bot };
      return serve(client, page, Math.floor(options.end - daysAgo * DAY_MS));
    }),
  );
  return requests.sort((a, b) => a.timestamp - b.timestamp);
}
