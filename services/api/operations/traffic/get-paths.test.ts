import { expect, test } from 'vitest';
import type { WebsiteContext } from '../../operation.js';
import { getPaths } from './get-paths.js';

const now = Date.UTC(2026, 10, 3, 14, 37);

/** A store that refuses every query, beside slow reads that are never ready. */
function stillRunning(questions: string[]): WebsiteContext {
  return {
    website: { id: 'shop' },
    now,
    services: {
      reader: { read: () => Promise.reject(new Error('asked at once')) },
      slowReads: {
        answer: async (question: string) => {
          questions.push(question);
          return { ready: false };
        },
      },
    },
  } as unknown as WebsiteContext;
}

test('a read of raw rows that takes long says so, and is one question however often it is asked', async () => {
  const questions: string[] = [];
  const input = getPaths.query.parse({ hours: '720', countries: 'DE' });
  const first = await getPaths.run(input, stillRunning(questions));
  await getPaths.run(input, { ...stillRunning(questions), now: now + 30_000 });
  expect(getPaths.answer.parse(first)).toMatchObject({ data_buffering: true, paths: [], total_requests: 0 });
  expect(new Set(questions).size).toBe(1);
  await getPaths.run({ ...input, limit: 7 }, stillRunning(questions));
  expect(new Set(questions).size).toBe(2);
});

test('without countries the rollups answer at once', async () => {
  const input = getPaths.query.parse({ hours: '720' });
  await expect(getPaths.run(input, stillRunning([]))).rejects.toThrow('asked at once');
});
