import pino from 'pino';
import { expect, test } from 'vitest';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { PublicError } from '../../../shared/errors.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { createSetPrivacy } from './set-privacy.js';

/** A store that returns rows with other days for the first `passes` passes. */
function open(passes: number, refused = false) {
  const done: string[] = [];
  let left = passes;
  let inHold = false;
  const clickhouse = {
    async read({ name }: { name: string }) {
      if (name === 'rebuild.buckets') return [];
      if (inHold) return [{ rows: 2 }];
      left -= 1;
      return [{ rows: left > 0 ? 1 : 0 }];
    },
    async command(sql: string) {
      if (!inHold) throw new Error('rows are changed while inserts are running');
      done.push(sql.slice(0, sql.indexOf(' WHERE')));
    },
  };
  const execute = async ({ addressDays = null, botsOnly = false }) => {
    done.push('set');
    return { answer: { privacy: { addressDays, botsOnly, botsOnlyChangedAt: null } } };
  };
  const setPrivacy = createSetPrivacy({
    control: { execute } as unknown as ControlPlane,
    clickhouse: clickhouse as unknown as ClickHouse,
    async withInsertsHeld(work) {
      if (refused) throw new PublicError('conflict', 'stop the enrichers');
      inHold = true;
      return work().finally(() => {
        inHold = false;
      });
    },
    newId: () => 'attempt',
    logger: pino({ level: 'silent' }),
    pauseMs: 0,
  });
  return { setPrivacy, done };
}

test('a further pass updates rows that were being inserted during the first', async () => {
  const { setPrivacy, done } = open(2);
  const report = await setPrivacy({ websiteId: 'w', addressDays: 7 });
  expect(report).toMatchObject({ complete: true, rows: 4, cleared: 4 });
  expect(done.filter((one) => one.includes('address_days ='))).toHaveLength(2);
  expect(report.remains.map(({ place, days }) => [place, days])).toContainEqual(['requests.raw', 7]);
});

test('the report is incomplete if such rows keep arriving', async () => {
  expect(await open(100).setPrivacy({ websiteId: 'w', addressDays: 7 })).toMatchObject({ complete: false });
});

test('nothing is set while enrichers are running', async () => {
  const { setPrivacy, done } = open(1, true);
  await expect(setPrivacy({ websiteId: 'w', addressDays: 7 })).rejects.toThrow('stop the enrichers');
  expect(done).toEqual([]);
});

test('`botsOnly` affects new requests only: no row changes, and inserts continue', async () => {
  const { setPrivacy, done } = open(1, true);
  const report = await setPrivacy({ websiteId: 'w', botsOnly: true });
  expect(report).toMatchObject({ complete: true, rows: 0, privacy: { botsOnly: true } });
  expect(done).toEqual(['set']);
});
