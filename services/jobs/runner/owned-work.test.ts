import { expect, test } from 'vitest';
import type { Crawl } from '../../../shared/control/domain/model.js';
import { growthOf, MOST_GROWTH } from '../../../test/harness/growth.js';
import { chooseToLeave } from '../crawls/next-crawls.js';
import type { Assignment } from './assignments.js';
import { createOwnedWork } from './owned-work.js';

const assignment = { isReady: true, leaving: new AbortController() } as unknown as Assignment;
const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `c${n}`, websiteId: `w${n}`, notBefore: null }));

test('a scan of the waiting items of thousands of websites of one organisation takes linear time', () => {
  const growth = growthOf(8_000, (size) => {
    const items = itemsOf(size);
    const work = createOwnedWork<(typeof items)[number]>({
      ...{ places: 2, organisationOf: () => 'org', assignmentOf: () => assignment, open: () => items },
      ...{ isOpen: () => true, attempt: () => new Promise(() => {}), onFailure: () => {}, now: () => 0 },
    });
    work.fill();
    expect(work.running()).toHaveLength(2);
  });
  expect(growth).toBeLessThan(MOST_GROWTH);
});

test('any number of crawls may wait for a place', () => {
  const waiting = itemsOf(200_000) as unknown as Crawl[];
  const placed = [{ held: waiting[0]!, beganAt: 0, giveUp: new AbortController() }];
  const options = { organisationOf: ({ id }: Crawl) => (id === 'c0' ? 'one' : 'other'), now: 1e9 };
  expect(chooseToLeave(placed, waiting, options)).toBe(placed[0]);
});
