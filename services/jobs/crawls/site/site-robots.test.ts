import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { fetchRobots } from './site-robots.js';

const ORIGIN = 'https://shop.example';

function robotsOf(text: string) {
  const fetch = async () => ({
    status: 200,
    body: Readable.from([Buffer.from(text)]),
    discard: () => {},
  });
  return fetchRobots(ORIGIN, fetch as never, new AbortController().signal);
}

it('allows what the rules for this crawler allow', async () => {
  const { allows } = await robotsOf('user-agent: LoglaneBot\ndisallow: /private\n');
  expect(allows(`${ORIGIN}/public?a=b`)).toBe(true);
  expect(allows(`${ORIGIN}/private/page`)).toBe(false);
});

it('skips a URL whose check against the rules would take too long', async () => {
  const rules = Array.from({ length: 20_000 }, (_, at) => `disallow: *a${at}\n`).join('');
  const { allows } = await robotsOf(`user-agent: *\n${rules}`);
  // Each rule is searched in the whole path: 20,000 × 100 characters, and 20,000 × 150.
  expect(allows(`${ORIGIN}/${'b'.repeat(99)}`)).toBe(true);
  expect(allows(`${ORIGIN}/${'b'.repeat(149)}`)).toBe(false);
});
