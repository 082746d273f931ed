import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import type { FileStatement } from './answer-file.js';
import { connectClickHouse } from './client.js';

/** A server that fails as ClickHouse does, since a real one cannot be made to fail on demand. */

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(answer: RequestListener) {
  const server: Server = createServer((request, response) => {
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closers.push(() => server.close());
  closers.push(() => server.closeAllConnections());
  const clickhouse = connectClickHouse(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    maxMemoryBytes: 1024 ** 3,
  });
  closers.push(() => clickhouse.close());
  return clickhouse;
}

const oneRow = JSON.stringify({ result_rows: '1' });

const statement: FileStatement = {
  name: 'test.file',
  sql: 'SELECT 1',
  params: {},
  format: 'CSVWithNames',
  compression: 'none',
  timeoutMs: 5_000,
};

test('the row count is that of the header, and the bytes are unchanged', async () => {
  const clickhouse = await serve((_, response) => {
    response.setHeader('x-clickhouse-summary', JSON.stringify({ result_rows: '2' }));
    response.end('"a"\r\n1\r\n2\r\n');
  });
  const { rows, bytes } = await clickhouse.readFile(statement);
  expect(rows).toBe(2);
  expect(await text(bytes)).toBe('"a"\r\n1\r\n2\r\n');
});

test('an answer whose connection breaks off gives no complete file', async () => {
  const clickhouse = await serve((_, response) => {
    response.setHeader('x-clickhouse-summary', oneRow);
    response.write('"a"\r\n1\r\n');
    setTimeout(() => response.destroy(), 50);
  });
  const { bytes } = await clickhouse.readFile(statement);
  await expect(text(bytes)).rejects.toThrow();
});

test('a statement that the server refuses gives no file', async () => {
  const clickhouse = await serve((_, response) => {
    response.statusCode = 500;
    response.end('Code: 60. DB::Exception: Table requests does not exist. (UNKNOWN_TABLE)');
  });
  await expect(clickhouse.readFile(statement)).rejects.toThrow('does not exist');
});

test('a read aborted in the middle ends its bytes', async () => {
  const clickhouse = await serve((_, response) => {
    response.setHeader('x-clickhouse-summary', oneRow);
    response.write('"a"\r\n1\r\n');
  });
  const giveUp = new AbortController();
  const { bytes } = await clickhouse.readFile({ ...statement, signal: giveUp.signal });
  setTimeout(() => giveUp.abort(new Error('nobody waits')), 50);
  await expect(text(bytes)).rejects.toThrow();
});

test('an answer without a row count is no file', async () => {
  for (const summary of [undefined, '{}', '{"result_rows":""}', '{"result_rows":"many"}']) {
    const clickhouse = await serve((_, response) => {
      if (summary !== undefined) response.setHeader('x-clickhouse-summary', summary);
      response.end('"a"\r\n1\r\n');
    });
    await expect(clickhouse.readFile(statement)).rejects.toThrow('no row count');
  }
});

test('an exception after the rows, with status 200, gives no complete file; rows that resemble one do', async () => {
  const tag = 'ABCDEFGHIJKLMNOP';
  const answer = (end: readonly string[]) =>
    serve((_, response) => {
      response.setHeader('x-clickhouse-summary', JSON.stringify({ result_rows: '1' }));
      response.setHeader('x-clickhouse-exception-tag', tag);
      for (const piece of ['"a"\r\n"1"\r\n', ...end]) response.write(piece);
      response.end();
    });
  const message = `Code: 395. DB::Exception: Value passed to throwIf.\r\n`;
  const failed = [
    `\r\n__exception__\r\n${tag}\r\n${message}`,
    `${message.length} ${tag}\r\n__exc`,
    'eption__\r\n',
  ];
  const { bytes } = await (await answer(failed)).readFile(statement);
  await expect(text(bytes)).rejects.toThrow('within its answer');
  const looksAlike = failed.map((piece) => piece.replaceAll(tag, 'ABCDEFGHIJKLMNOQ'));
  const read = await (await answer(looksAlike)).readFile(statement);
  expect(await text(read.bytes)).toContain('__exception__');
});
