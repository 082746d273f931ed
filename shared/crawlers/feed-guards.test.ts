import { expect, test } from 'vitest';
import { guardChange } from './feed-guards.js';

const feed = { name: 'bots' };

test.each([
  ['one prefix becomes a /8', ['9.9.9.0/24', '9.9.10.0/24'], ['9.0.0.0/8', '9.9.10.0/24'], /IPv4 addresses/],
  [
    'blocks become single addresses',
    ['9.9.9.0/24', '9.9.10.0/24'],
    ['9.9.9.1', '9.9.10.1'],
    /IPv4 addresses/,
  ],
  ['IPv6 networks grow', ['2001:db8::/48'], ['2001:d00::/32'], /IPv6 networks/],
  ['IPv6 networks become addresses', ['2001:db8::/48'], ['2001:db8::1'], /IPv6 networks/],
  [
    'IPv6 ends, unseen by the count of IPv4',
    ['9.9.9.0/24', '2001:db8::/48'],
    ['9.9.9.0/24', '9.9.10.0/24'],
    /IPv6/,
  ],
  ['half of the prefixes are gone', ['9.9.9.0/24', '9.9.10.0/24', '9.9.11.0/24'], ['9.9.9.0/24'], /prefixes/],
])('a list is refused where %s', (_, before, after, problem) =>
  expect(() => guardChange(feed, before, after)).toThrow(problem),
);

test.each([
  ['nothing changes', ['9.9.9.0/24', '2001:db8::/48'], ['9.9.9.0/24', '2001:db8::/48']],
  ['blocks are added', ['9.9.9.0/24'], ['9.9.9.0/24', '9.9.10.0/24', '9.9.11.0/25']],
  ['a block becomes four times as wide', ['9.9.8.0/24', '9.9.20.0/24'], ['9.9.8.0/22', '9.9.20.0/24']],
  ['IPv6 begins', ['9.9.9.0/24'], ['9.9.9.0/24', '2001:db8::/32']],
])('a list is accepted where %s', (_, before, after) =>
  expect(() => guardChange(feed, before, after)).not.toThrow(),
);
