import { expect, test } from 'vitest';
import { type IndexingFacts, isNofollow, unindexableReason } from './indexable.js';

const sound: IndexingFacts = {
  ...{ status: 200, error: '', isHtml: true, isRedirect: false, robotsAllowed: true },
  ...{ metaRobots: '', xRobotsTag: '', canonicalElsewhere: false },
};

test.each<[string, Partial<IndexingFacts>]>([
  ['', {}],
  ['', { metaRobots: 'index, follow, max-snippet:-1', xRobotsTag: 'max-image-preview: large' }],
  ['robots', { robotsAllowed: false, status: 0 }],
  ['redirect', { status: 301, isRedirect: true }],
  ['status', { status: 404, isHtml: false }],
  ['status', { error: 'timeout' }],
  ['content_type', { isHtml: false, metaRobots: 'noindex' }],
  ['noindex', { metaRobots: 'follow, noindex', canonicalElsewhere: true }],
  ['noindex', { metaRobots: 'none' }],
  ['noindex', { xRobotsTag: 'NOINDEX' }],
  ['noindex', { xRobotsTag: 'max-snippet: 20, noindex' }],
  ['noindex', { xRobotsTag: 'otherbot: nofollow\nnoindex' }],
  ['', { xRobotsTag: 'otherbot: noindex, nofollow' }],
  ['canonical', { canonicalElsewhere: true }],
])('what keeps a page out of an index is %j of %j', (reason, facts) => {
  expect(unindexableReason({ ...sound, ...facts })).toBe(reason);
});

test('links are nofollow if the page or its response declares it for every crawler', () => {
  expect(isNofollow('nofollow', '')).toBe(true);
  expect(isNofollow('', 'none')).toBe(true);
  expect(isNofollow('noindex', 'otherbot: nofollow')).toBe(false);
});
