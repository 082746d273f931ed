import { expect, test } from 'vitest';
import { FetchError } from '../../../../shared/fetch/fetch-error.js';
import { findStart } from './crawl-start.js';
import type { OriginRobots } from './site-robots.js';
import type { Visitor } from './visitor.js';

/** No server responds: another error at each host. */
const unanswered = {
  async robotsOf(origin: string) {
    const { host } = new URL(origin);
    const code = host.startsWith('www.') ? 'dns' : 'refused';
    return { status: 0, error: new FetchError(code, host) } as OriginRobots;
  },
} as unknown as Visitor;

test.each([
  ['shop.example', 'shop.example refused the connection.'],
  ['www.shop.example', 'www.shop.example has no address in DNS, or DNS did not answer.'],
])('a crawl of %s that nobody answers names this host, not its twin', async (domain, reason) => {
  const start = await findStart(null, domain, unanswered);
  expect(start).toEqual({ kind: 'stop', outcome: { outcome: 'failed', reason } });
});
