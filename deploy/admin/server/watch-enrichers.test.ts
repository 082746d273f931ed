import { expect, test, vi } from 'vitest';
import type { Commit } from '../../../shared/event-log/event-log.js';
import { createMemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { withEnrichersStopped } from './watch-enrichers.js';

const LOOK_MS = 20;
const done: Commit = { offset: 4, metadata: '' };
const planned: Commit = { offset: 4, metadata: 'plan1:7:mark:0:' };

async function setUp(commit: Commit) {
  const log = createMemoryEventLog(1);
  const enricher = await log.consume({
    topic: 'requests.raw',
    group: 'enricher',
    onRecords: async () => {},
    onCrash: () => {},
  });
  await enricher.commit(0, commit);
  return { log, enricher };
}

test('work runs while no range is planned or finished', async () => {
  const { log } = await setUp(done);
  expect(await withEnrichersStopped(log, async () => 'done', LOOK_MS)).toBe('done');
});

test('work does not run while a range is planned, even if the commit does not change: its insert may be running', async () => {
  const { log } = await setUp(planned);
  const work = vi.fn(async () => {});
  await expect(withEnrichersStopped(log, work, LOOK_MS)).rejects.toMatchObject({ code: 'conflict' });
  await expect(withEnrichersStopped(log, work, LOOK_MS)).rejects.toThrow('has not finished a range');
  expect(work).not.toHaveBeenCalled();
});

test('work does not run if a range is finished during the check', async () => {
  const { log, enricher } = await setUp(done);
  const work = vi.fn(async () => {});
  const running = withEnrichersStopped(log, work, LOOK_MS);
  await enricher.commit(0, { offset: 8, metadata: '' });
  await expect(running).rejects.toThrow('enrichers are running');
  expect(work).not.toHaveBeenCalled();
});

test('work fails if a range is planned meanwhile', async () => {
  const { log, enricher } = await setUp(done);
  const running = withEnrichersStopped(log, () => enricher.commit(0, planned), LOOK_MS);
  await expect(running).rejects.toMatchObject({ code: 'conflict' });
});
