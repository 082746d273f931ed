import { DAY_MS } from '../../../shared/durations.js';
import { addressPool } from './address.js';
import { crawlers } from './crawler-list.js';
import type { DemoRequest } from './demo-request.js';
import { type DemoOptions, demoIncidents } from './demo-traffic.js';
import { createRandom } from './random.js';
import { createShopServer } from './shop-server.js';
import { pastLookbooks } from './site.js';

/** Days before the end of the demo's window, so that none of these pages was fetched within a month. */
const FIRST_DAY = 80;
const LAST_DAY = 35;
const FETCHES_OF_A_PAGE = 4;
const visitors = crawlers.filter(
  ({ bot, actor }) => actor === 'search_bot' && /^(Googlebot|bingbot|Applebot)$/.test(bot),
);

/** Requests of search crawlers weeks before the demo's window, for pages not fetched since, in the order of time. */
export function earlierCrawls({ seed, domain, ...options }: DemoOptions): DemoRequest[] {
  const random = createRandom(`${seed}, earlier crawls`);
  const serve = createShopServer(domain, demoIncidents(options), random);
  const pages = Array.from({ length: FETCHES_OF_A_PAGE }, () => pastLookbooks).flat();
  return pages
    .map((page) => {
      const { bot, actor, userAgent, networks, country } = random.pick(visitors);
      const client = {
        ip: addressPool(networks)(random),
        country,
        userAgent,
        protocol: 'HTTP/1.1',
        actor,
        bot,
      };
      const daysAgo = LAST_DAY + random.next() * (FIRST_DAY - LAST_DAY);
      return serve(client, page, options.end - daysAgo * DAY_MS);
    })
    .sort((a, b) => a.timestamp - b.timestamp);
}
