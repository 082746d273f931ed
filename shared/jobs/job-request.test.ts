import { expect, test } from 'vitest';
import { createMemoryEventLog } from '../../test/harness/memory-event-log.js';
import { decodeJobRequest, requestJob } from './job-request.js';

test('a request round-trips through the log', async () => {
  const log = createMemoryEventLog(1, Date.now);
  await requestJob(log, { kind: 'insights', websiteId: 'web_1', details: '{"page":"/"}' });
  await requestJob(log, { kind: 'robots', websiteId: 'web_1' });
  expect(log.records('jobs').map(({ value }) => decodeJobRequest(value))).toEqual([
    { kind: 'insights', websiteId: 'web_1', details: '{"page":"/"}' },
    { kind: 'robots', websiteId: 'web_1', details: '' },
  ]);
});

test('a record that is not a request is refused', () => {
  expect(() => decodeJobRequest(Buffer.of(9, 1, 2))).toThrow(/unknown schema id 9/);
});
