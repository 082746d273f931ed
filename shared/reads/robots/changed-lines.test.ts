import { expect, test } from 'vitest';
import { changedLines } from './changed-lines.js';

test('a line counts as often as it occurs, without the spaces around it', () => {
  expect(
    changedLines(
      'User-agent: *\nDisallow: /a\n\nUser-agent: b\nDisallow: /a',
      'User-agent: *\r\n  Disallow: /a \r\nUser-agent: c',
    ),
  ).toEqual({ added: ['User-agent: c'], removed: ['Disallow: /a', 'User-agent: b'] });
});

test('equal texts have no difference, and no file is an empty one', () => {
  expect(changedLines('Disallow: /', 'Disallow: /')).toEqual({ added: [], removed: [] });
  expect(changedLines('', 'Disallow: /')).toEqual({ added: ['Disallow: /'], removed: [] });
});

test('a difference has at most a hundred lines of each kind, and cuts long ones', () => {
  const many = Array.from({ length: 200 }, (_, index) => `Disallow: /${index}${'x'.repeat(1_000)}`).join(
    '\n',
  );
  const { added, removed } = changedLines(many, '');
  expect([added.length, removed.length, removed[0]!.length]).toEqual([0, 100, 500]);
});
