import { expect, it } from 'vitest';
import { copiesFor } from './copy-shops.js';

const shops = ['a', 'b', 'c'].map((websiteId) => ({
  ...{ websiteId, crawlId: '', searchSourceId: '', analyticsSourceId: '' },
}));
const copied = (rows: number) =>
  copiesFor(shops, rows, 100).map(({ shop, daysEarlier }) => `${shop.websiteId} ${daysEarlier}`);

it('copies to other websites first, then to days before all windows', () => {
  expect(copied(100)).toEqual([]);
  expect(copied(200)).toEqual(['b 0']);
  expect(copied(799)).toEqual(['b 0', 'c 0', 'a 105', 'b 105', 'c 105', 'a 120']);
});
