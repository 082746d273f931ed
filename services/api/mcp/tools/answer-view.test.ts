import { expect, it } from 'vitest';
import { operations } from '../../operations/all-operations.js';
import { answerView, notesOf } from './answer-view.js';
import type { ToolContext } from './tool.js';

it('notes that a large unique count is an estimate', () => {
  expect(notesOf({ unique_paths: 500, unique_ips: 3 })).toEqual([]);
  expect(notesOf({ unique_paths: 637 })).toEqual([expect.stringContaining('estimates above 500')]);
});

it('notes that a list ends where the API ends it', async () => {
  const addresses = Array.from({ length: 2_000 }, (_, at) => ({ ip: `host${at}` }));
  const context = {
    tool: 'query_traffic',
    operations: new Map(operations.map((operation) => [operation.id, operation])),
    now: () => 0,
    console: null,
    call: async (_operation: unknown, { limit }: { limit: number }) => ({
      status: 200,
      json: { ips: addresses.slice(0, limit) },
    }),
  } as unknown as ToolContext;
  const view = { operation: 'getIps', list: 'ips', columns: ['ip'], console: { screen: '' } };
  const website = `web_${'0'.repeat(24)}`;
  const notes = async (limit: number) =>
    (await answerView(view, { website, period: '7d', limit } as never, context)).notes;
  expect(await notes(100)).toEqual([]);
  expect(await notes(500)).toEqual([expect.stringContaining('lists 500 at most')]);
});
