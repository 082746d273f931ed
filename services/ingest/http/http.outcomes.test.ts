import { expect, it } from 'vitest';
import { OTHER_KEY, post, record, start } from '../../../test/harness/ingest/http.js';

it('reports the outcome and website of each upload with a good key', async () => {
  const { url, outcomes } = await start();
  await post(url, `${record('/a')}\n{"status": 1}\n{"status": 2}\n${record('/b')}`);
  expect(outcomes.due(true)?.websites).toMatchObject([
    {
      websiteId: 'w1',
      counts: { taken: 1, refused: 0, accepted: 2, rejected: 2, skipped: 0 },
      last: { kind: 'taken', source: 'loglane', reason: '' },
      lastRejection: { line: 3, source: 'loglane' },
    },
  ]);
  await post(url, 'x', { 'x-api-key': OTHER_KEY, 'content-type': 'application/msgpack' });
  const other = outcomes.due(true)?.websites.find(({ websiteId }) => websiteId === 'w2');
  expect(other).toMatchObject({ counts: { taken: 0, refused: 1 }, last: { kind: 'refused', source: null } });
  expect(other?.last.reason).toContain('msgpack');
});

it('an upload with a wrong key belongs to no website', async () => {
  const { url, outcomes } = await start();
  expect((await post(url, record('/a'), { 'x-api-key': 'll_wrong' })).status).toBe(401);
  expect(outcomes.due(true)).toBeNull();
});
