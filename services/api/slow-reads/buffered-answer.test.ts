import { z } from '@hono/zod-openapi';
import { describe, expect, it, vi } from 'vitest';
import { type ClickHouseReader, StoreTimeoutError } from '../../../shared/clickhouse/client.js';
import type { ApiServices } from '../operation.js';
import type { SlowReads } from './answer-or-buffer.js';
import { answerOrBuffer, emptyAnswer } from './buffered-answer.js';

const query = { name: 'rows', sql: 'SELECT 1', params: {}, row: z.unknown() };

function services(slowReads: SlowReads['answer']) {
  const read = vi.fn(async () => [1, 2]);
  return {
    read,
    services: { reader: { read }, slowReads: { answer: slowReads } } as unknown as ApiServices,
  };
}

const question = {
  question: ['getRows', 'shop'],
  owner: 'org',
  blockRows: 60,
  read: async (reader: ClickHouseReader) => ({ rows: (await reader.read(query)).length }),
  empty: () => ({ rows: 0 }),
};

describe('answerOrBuffer', () => {
  it('waits for what does not take long, and asks the store as it is', async () => {
    const never = vi.fn();
    const { read, services: given } = services(never);
    const answer = await answerOrBuffer(given, { ...question, mayTakeLong: false });
    expect(answer).toEqual({ rows: 2, data_buffering: false });
    expect(read).toHaveBeenCalledWith(query);
    expect(never).not.toHaveBeenCalled();
  });

  it('passes the time that a long read has on to each of its queries', async () => {
    const { read, services: given } = services(async (_key, _owner, run) => ({
      ready: true,
      value: await run(() => 7_000),
    }));
    const answer = await answerOrBuffer(given, { ...question, mayTakeLong: true });
    expect(answer).toEqual({ rows: 2, data_buffering: false });
    expect(read).toHaveBeenCalledWith({ ...query, timeoutMs: 7_000, scan: { blockRows: 60 } });
  });

  it('begins no statement when the time of the whole read is over', async () => {
    const { read, services: given } = services(async (_key, _owner, run) => ({
      ready: true,
      value: await run(() => 0),
    }));
    await expect(answerOrBuffer(given, { ...question, mayTakeLong: true })).rejects.toThrow(
      StoreTimeoutError,
    );
    expect(read).not.toHaveBeenCalled();
  });

  it('gives the empty answer and says so while the read goes on', async () => {
    const keys: string[] = [];
    const { read, services: given } = services(async (key) => {
      keys.push(key);
      return { ready: false };
    });
    const answer = await answerOrBuffer(given, { ...question, mayTakeLong: true });
    expect(answer).toEqual({ rows: 0, data_buffering: true });
    expect(keys).toEqual(['["getRows","shop"]']);
    expect(read).not.toHaveBeenCalled();
  });
});

describe('emptyAnswer', () => {
  it('is zeros, nulls and empty lists, with what is known in its place', () => {
    const schema = z.object({
      total: z.int(),
      mean: z.number().nullable(),
      rows: z.array(z.string()),
      by_name: z.record(z.string(), z.int()),
      name: z.string(),
      window: z.object({ hours: z.number() }),
      previous: z.object({ total: z.int(), window: z.object({ hours: z.number() }) }),
    });
    const known = { window: { hours: 24 }, 'previous.window': { hours: 48 } };
    expect(emptyAnswer(schema, known)).toEqual({
      total: 0,
      mean: null,
      rows: [],
      by_name: {},
      name: '',
      window: { hours: 24 },
      previous: { total: 0, window: { hours: 48 } },
    });
  });

  it('refuses what has no empty form', () => {
    expect(() => emptyAnswer(z.object({ kind: z.enum(['a', 'b']) }), {})).toThrow(
      'kind: there is no empty form',
    );
  });
});
