import { expect, test } from 'vitest';
import { type Directory, directoriesOf } from './directories.js';

const crawled = (path: string, requests: number, status_4xx = 0) => ({
  path,
  requests,
  verified_requests: requests,
  status_2xx: requests - status_4xx,
  status_3xx: 0,
  status_4xx,
  status_5xx: 0,
});

function outline({ path, requests, paths, children }: Directory): unknown {
  return [path, requests, paths, children.map(outline)];
}

test('requests add up in every directory above a path, most requests first', () => {
  const tree = directoriesOf([
    crawled('/', 5),
    crawled('/blog/a', 2),
    crawled('/blog/b', 1),
    crawled('/c/shoes/x', 4, 1),
    crawled('/c/shoes/y', 4),
    crawled('/c/packs', 1),
  ]);
  expect(outline(tree)).toEqual([
    '/',
    17,
    6,
    [
      ['/c/', 9, 3, [['/c/shoes/', 8, 2, []]]],
      ['/blog/', 3, 2, []],
    ],
  ]);
  expect(tree.children[0]?.status_4xx).toBe(1);
});

test('a directory of one path is not shown, and a deep path counts in its fourth directory', () => {
  const tree = directoriesOf([
    crawled('/one/page', 1),
    crawled('/a/b/c/d/e/f', 1),
    crawled('/a/b/c/d/e/g', 1),
  ]);
  expect(outline(tree)).toEqual([
    '/',
    3,
    3,
    [['/a/', 2, 2, [['/a/b/', 2, 2, [['/a/b/c/', 2, 2, [['/a/b/c/d/', 2, 2, []]]]]]]]],
  ]);
});

test('names of properties of objects and empty names are directories like others', () => {
  const tree = directoriesOf([
    crawled('/__proto__/a', 1),
    crawled('/__proto__/b', 1),
    crawled('//x', 1),
    crawled('//y', 1),
  ]);
  expect(tree.children.map(({ path }) => path)).toEqual(['/__proto__/', '//']);
});
