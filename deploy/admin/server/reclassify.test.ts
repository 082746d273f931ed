import pino from 'pino';
import { expect, test } from 'vitest';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { PublicError } from '../../../shared/errors.js';
import { type EventLog, LogUnavailableError } from '../../../shared/event-log/event-log.js';
import { decodeJobRequest } from '../../../shared/jobs/job-request.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { StoreTimeoutError } from '../../../shared/store/store-errors.js';
import { createMemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { createReclassify } from './reclassify.js';

const websites = ['web_1', 'web_2', 'web_3'];
const stretch = { from: '2026-11-10', to: '2026-11-11' };

/** A store whose websites have lost their rows before their days are queried. @param failed a website whose query fails. */
function openReclassify(failed?: string) {
  const log = createMemoryEventLog(1);
  const clickhouse = {
    async read({ name, params }: { name: string; params: { website?: string } }) {
      if (name === 'reclassify.websites') return websites.map((website_id) => ({ website_id }));
      if (failed !== undefined && params.website === failed)
        throw new StoreTimeoutError('ClickHouse ran out of time');
      return [];
    },
  };
  const options = {
    control: {
      state: () => ({ websites: new Map(websites.map((id) => [id, {}])) }),
    } as unknown as ControlPlane,
    clickhouse: clickhouse as unknown as ClickHouse,
    log,
    withInsertsHeld: <T>(work: () => Promise<T>) => work(),
    now: Date.now,
    newId: () => 'attempt',
    logger: pino({ level: 'silent' }),
  };
  const requested = () => log.records('jobs').map(({ value }) => decodeJobRequest(value));
  return { options, log, requested };
}

const judged = (websiteId: string) => ({ websiteId, days: 0, rows: 0, changed: 0, error: null });
const build = (websiteId: string) => ({ kind: 'page_importance', websiteId, details: '' });

test('an error in one website is reported, and the others are reclassified', async () => {
  const { options, requested } = openReclassify('web_2');
  expect(await createReclassify(options)({ ...stretch, websiteId: null })).toEqual([
    judged('web_1'),
    { websiteId: 'web_2', days: null, rows: null, changed: null, error: 'ClickHouse ran out of time' },
    judged('web_3'),
  ]);
  expect(requested()).toEqual([build('web_1'), build('web_3')]);
});

test('a failed request of a daily build is reported, so the website is repeated', async () => {
  const { options, log } = openReclassify();
  const failing: EventLog = {
    ...log,
    async append(topic, records) {
      if (records[0]?.key === 'web_1') throw new LogUnavailableError('the log is away');
      return log.append(topic, records);
    },
  };
  expect(await createReclassify({ ...options, log: failing })({ ...stretch, websiteId: null })).toEqual([
    { websiteId: 'web_1', days: null, rows: null, changed: null, error: 'the log is away' },
    judged('web_2'),
    judged('web_3'),
  ]);
});

test('an error of all websites ends the command', async () => {
  const { options, requested } = openReclassify();
  const withInsertsHeld = () => Promise.reject(new PublicError('conflict', 'enrichers are running'));
  const reclassify = createReclassify({ ...options, withInsertsHeld });
  await expect(reclassify({ ...stretch, websiteId: null })).rejects.toThrow('enrichers are running');
  await expect(reclassify({ ...stretch, websiteId: 'web_4' })).rejects.toThrow('no website "web_4"');
  expect(requested()).toEqual([]);
});
