import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Query } from '../../store/client.js';
import { readOnce } from './read-once.js';

const query = (name: string, shared: boolean): Query<unknown> => ({
  name,
  sql: `SELECT '${name}'`,
  params: {},
  row: z.unknown(),
  ...(shared ? { restsOn: { websiteId: 'w', part: 'other_tables' } } : {}),
});

test('statements that many answers read are sent once', async () => {
  const sent: string[] = [];
  const reader = readOnce({
    read: async ({ name }) => {
      sent.push(name);
      return [name] as never;
    },
  });
  for (const name of ['verdicts', 'start', 'verdicts'])
    expect(await reader.read(query(name, true))).toEqual([name]);
  for (const name of ['figures', 'figures']) expect(await reader.read(query(name, false))).toEqual([name]);
  expect(sent).toEqual(['verdicts', 'start', 'figures', 'figures']);
});

test('a statement that failed is sent again', async () => {
  let attempts = 0;
  const reader = readOnce({
    read: async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('busy');
      return [] as never;
    },
  });
  await expect(reader.read(query('start', true))).rejects.toThrow('busy');
  expect(await reader.read(query('start', true))).toEqual([]);
  expect(attempts).toBe(2);
});
