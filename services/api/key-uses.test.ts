import pino from 'pino';
import { expect, test } from 'vitest';
import type { InsertOptions } from '../../shared/store/client.js';
import { createKeyUses } from './key-uses.js';

test('the newest use of each key is stored, also after the store was unavailable', async () => {
  const inserts: InsertOptions[] = [];
  let away = true;
  let ids = 0;
  const uses = createKeyUses({
    clickhouse: {
      async insert(options) {
        if (away) throw new Error('away');
        inserts.push(options);
      },
      command: () => Promise.reject(new Error('unused')),
    },
    newId: () => String(++ids),
    logger: pino({ level: 'silent' }),
    everyMs: 5,
  });
  uses.used('key_1', 1_000);
  uses.used('key_2', 2_000);
  uses.used('key_1', 3_999);
  await new Promise((turn) => setTimeout(turn, 30));
  away = false;
  uses.used('key_2', 9_000);
  await uses.stop();
  const stored = inserts.map(({ rows }) => rows.toString()).join('');
  expect(stored.split('\n').filter(Boolean).sort()).toEqual([
    '{"api_key_id":"key_1","last_used":3}',
    '{"api_key_id":"key_2","last_used":9}',
  ]);
});
