import { expect, test } from 'vitest';
import { type Directory, treeOf } from './directories.js';

const counted = (directory: string, requests: number, paths = 2) => ({
  directory,
  requests,
  verified_requests: requests,
  unproved_requests: 0,
  paths,
  status_1xx: 0,
  status_2xx: requests,
  status_3xx: 0,
  status_4xx: 0,
  status_5xx: 0,
  status_other: 0,
  failed_pct: 0,
});

function outline({ directory, requests, children }: Directory): unknown {
  return [directory, requests, children.map(outline)];
}

test('each directory is below its parent with its own totals, in the order of the answer', () => {
  const tree = treeOf([
    counted('/', 17),
    counted('/c/', 9),
    counted('/c/shoes/', 8),
    counted('/blog/', 3),
    counted('/c/shoes/one/', 1, 1),
  ]);
  expect(outline(tree!)).toEqual([
    '/',
    17,
    [
      ['/c/', 9, [['/c/shoes/', 8, []]]],
      ['/blog/', 3, []],
    ],
  ]);
});

test('names of properties of objects and empty names are directories like others', () => {
  const tree = treeOf([counted('/', 4), counted('/__proto__/', 2), counted('//', 2)]);
  expect(tree?.children.map(({ directory }) => directory)).toEqual(['/__proto__/', '//']);
});

test('without directories there is no tree', () => expect(treeOf([])).toBeNull());
