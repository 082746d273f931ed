import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { readCaughtUp } from './caught-up-read.js';
import { connectClickHouse } from './client.js';
import { StoreUnavailableError } from './store-errors.js';

/** Replicas behind a load balancer. Each has caught up with some tables. */
function createReplicas(serverOf: (statement: number) => string) {
  let statements = 0;
  const caughtUp = new Set<string>();
  return {
    statements: () => statements,
    async catchUp(table: string) {
      const server = serverOf(statements++);
      caughtUp.add(`${server} ${table}`);
      return server;
    },
    async ask() {
      const server = serverOf(statements++);
      return { server, answer: [...caughtUp].filter((one) => one.startsWith(server)).sort() };
    },
  };
}

test('if one server executes all statements, a read costs one more per table', async () => {
  const replicas = createReplicas(() => 'a');
  expect(await readCaughtUp(['x', 'y'], replicas)).toEqual(['a x', 'a y']);
  expect(replicas.statements()).toBe(3);
  expect(await readCaughtUp([], replicas)).toEqual(['a x', 'a y']);
  expect(replicas.statements()).toBe(4);
});

test('an answer counts only from a server that has caught up itself, with any load balancing', async () => {
  for (const order of ['ab', 'abc', 'abcde', 'aab', 'abb', 'abca']) {
    const replicas = createReplicas((statement) => order[statement % order.length]!);
    expect(await readCaughtUp(['x'], replicas)).toEqual([expect.stringMatching(/^[a-e] x$/)]);
    const both = [expect.stringMatching(/^[a-e] x$/), expect.stringMatching(/^[a-e] y$/)];
    expect(await readCaughtUp(['x', 'y'], replicas)).toEqual(both);
  }
});

test('a read fails if a different server answers each time', async () => {
  let statement = 0;
  const replicas = createReplicas(() => `server ${statement++}`);
  await expect(readCaughtUp(['x'], replicas)).rejects.toBeInstanceOf(StoreUnavailableError);
});

let server: Server | null = null;
afterEach(() => server?.close());

/** Two ClickHouse servers at one address. The second has no rows until it catches up. */
async function startBalancer(): Promise<{ url: string; statements: string[] }> {
  const statements: string[] = [];
  const caughtUp = new Set<string>();
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const given = new URL(request.url!, 'http://localhost').searchParams.get('query') ?? '';
    const name = statements.length % 2 === 0 ? 'first' : 'second';
    const sql = `${given}${Buffer.concat(chunks)}`.split('\n')[0]!.trim();
    statements.push(`${name}: ${sql}`);
    response.setHeader('X-ClickHouse-Server-Display-Name', name);
    if (sql.startsWith('SYSTEM')) {
      caughtUp.add(name);
      response.end();
      return;
    }
    const rows = name === 'first' || caughtUp.has(name) ? [[1]] : [];
    const statistics = { elapsed: 0, rows_read: 0, bytes_read: 0 };
    response.end(JSON.stringify({ meta: [{ name: 'n', type: 'UInt8' }], data: rows, rows: 1, statistics }));
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, statements };
}

const question = {
  name: 'test',
  sql: 'SELECT n FROM t',
  params: {},
  row: z.object({ n: z.number() }),
  caughtUpWith: ['t'],
};

test('on a cluster a read that depends on other processes’ writes has all of them', async () => {
  const { url, statements } = await startBalancer();
  const clickhouse = connectClickHouse(url, { maxMemoryBytes: 1e9, replicated: true });
  try {
    expect(await clickhouse.read(question)).toEqual([{ n: 1 }]);
    expect(statements.slice(0, 2)).toEqual([
      expect.stringContaining('first: SYSTEM SYNC REPLICA t LIGHTWEIGHT'),
      expect.stringContaining('second: SELECT n FROM t'),
    ]);
  } finally {
    await clickhouse.close();
  }
});

test('a single server is queried immediately', async () => {
  const { url, statements } = await startBalancer();
  const clickhouse = connectClickHouse(url, { maxMemoryBytes: 1e9 });
  try {
    expect(await clickhouse.read(question)).toEqual([{ n: 1 }]);
    expect(statements).toEqual([expect.stringContaining('first: SELECT n FROM t')]);
  } finally {
    await clickhouse.close();
  }
});
