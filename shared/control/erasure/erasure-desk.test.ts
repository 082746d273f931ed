import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { expect, test } from 'vitest';
import { openTestPlane } from '../../../test/harness/control-plane.js';
import type { ClickHouse } from '../../clickhouse/client.js';
import { createErasureDesk } from './erasure-desk.js';

/** A store of one table, which holds a row of the address at so many looks. */
function storeThatFinds(looks: number): ClickHouse {
  let left = looks;
  const answers = (name: string): unknown[] => {
    if (name === 'erase.tables') return [{ table: 'requests', names: ['client_ip'], types: ['IPv6'] }];
    if (name === 'erase.count') return [{ rows: left-- > 0 ? 1 : 0 }];
    return [];
  };
  return {
    read: async ({ name, row }) => answers(name).map((one) => row.parse(one)),
    command: async () => {},
    insert: async () => {},
    readFile: () => Promise.reject(new Error('no test writes files here')),
    ping: async () => true,
    close: async () => {},
  };
}

async function eraseWhile(looks: number) {
  const { control, log } = await openTestPlane();
  const desk = createErasureDesk({
    control,
    log,
    clickhouse: storeThatFinds(looks),
    withInsertsHeld: (work) => work(),
    newId: randomUUID,
    now: Date.now,
    logger: pino({ level: 'silent' }),
    pauseMs: 0,
  });
  const report = await desk.erase({ kind: 'address', address: '192.0.2.1', websiteId: null });
  await control.close();
  return report;
}

test('an erasure is complete when a further look finds nothing', async () => {
  expect(await eraseWhile(1)).toMatchObject({ complete: true, rows: { requests: 1 } });
  expect(await eraseWhile(4)).toMatchObject({ complete: true, rows: { requests: 4 } });
  expect(await eraseWhile(0)).toMatchObject({ complete: true, rows: {} });
});

test('an erasure that found something at each of its looks is not complete', async () => {
  expect(await eraseWhile(Number.POSITIVE_INFINITY)).toMatchObject({ complete: false });
});
