import pino from 'pino';
import { expect, test, vi } from 'vitest';
import type { ClickHouse } from '../../../shared/store/client.js';
import type { WebsiteVerdict } from './dns-verifier.js';
import { createVerdictStore } from './store-verdicts.js';

const verdict = (websiteId: string): WebsiteVerdict => ({
  websiteId,
  family: 'Google',
  clientIp: '192.0.2.1',
  status: 'verified',
  decidedAt: 1_000,
  lastDay: 40_000,
});

const changeOf = (websiteId: string) => ({ websiteId, keepsRows: true });

test('the websites of verdicts are reported once after each insert, even a failed one', async () => {
  const steps: unknown[] = [];
  const insert = vi.fn(async () => {
    steps.push('insert');
    if (insert.mock.calls.length === 2) throw new Error('timed out');
  });
  const store = createVerdictStore(
    { insert } as unknown as ClickHouse,
    pino({ level: 'silent' }),
    (changes) => steps.push([...changes]),
  );
  for (const websiteId of ['a', 'b', 'a']) store.add(verdict(websiteId));
  await store.stop();
  store.add(verdict('c'));
  await store.stop();
  expect(steps).toEqual(['insert', [changeOf('a'), changeOf('b')], 'insert', [changeOf('c')]]);
});
