import pino from 'pino';
import { expect, test } from 'vitest';
import type { ClickHouse } from '../../shared/store/client.js';
import { StoreUnavailableError } from '../../shared/store/store-errors.js';
import { migrateWhenThere } from './migrate-when-there.js';

const logger = pino({ level: 'silent' });
const never = new AbortController().signal;

/** A server. @param outcome returns the error of each statement, by its number from 0 */
function createStore(outcome: (statement: number) => Error | null) {
  let statements = 0;
  const say = async () => {
    const error = outcome(statements++);
    if (error) throw error;
  };
  const store: ClickHouse = {
    command: say,
    insert: say,
    // The server is empty.
    read: async () => say().then(() => [] as never),
    readFile: () => Promise.reject(new Error('no test reads files here')),
    ping: async () => true,
    close: async () => {},
  };
  return { store, statements: () => statements };
}

const away = () => new StoreUnavailableError('connect ECONNREFUSED');

test('waits for a server that is not running yet, or becomes unavailable', async () => {
  const { store } = createStore((statement) => (statement < 2 || statement === 5 ? away() : null));
  expect(await migrateWhenThere(store, { logger, stopping: never })).toContain('0001_baseline/requests.sql');
});

test('reports a failing migration at once', async () => {
  const { store, statements } = createStore((statement) =>
    statement === 3 ? new Error('no such codec') : null,
  );
  await expect(migrateWhenThere(store, { logger, stopping: never })).rejects.toThrow('no such codec');
  expect(statements()).toBe(4);
});

test('stops waiting at its deadline', async () => {
  const { store } = createStore(away);
  const stopping = AbortSignal.timeout(50);
  await expect(migrateWhenThere(store, { logger, stopping })).rejects.toThrow(
    /ClickHouse is not reachable: .*timeout/,
  );
});
