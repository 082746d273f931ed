import { z } from '@hono/zod-openapi';
import { describe, expect, it, vi } from 'vitest';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { StoreTimeoutError } from '../../../shared/store/store-errors.js';
import type { SlowReads } from '../slow-reads/slow-reads.js';
import { answerOrBuffer, bufferedSchema } from './answer-or-buffer.js';
import type { ApiServices } from './operation.js';

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
  read: async (reader: ClickHouseReader) => ({ rows: (await reader.read(query)).length, website: 'shop' }),
  schema: z.object({ rows: z.int(), website: z.string() }),
  knownPart: { website: 'shop' },
};

describe('answerOrBuffer', () => {
  it('waits for short reads, and queries the store without changes', async () => {
    const never = vi.fn();
    const { read, services: given } = services(never);
    const answer = await answerOrBuffer(given, { ...question, mayTakeLong: false });
    expect(answer).toEqual({ rows: 2, website: 'shop', data_buffering: false });
    expect(read).toHaveBeenCalledWith(query);
    expect(never).not.toHaveBeenCalled();
  });

  it('passes the remaining time of a long read to each of its queries', async () => {
    const { read, services: given } = services(async (_key, _owner, run) => ({
      ready: true,
      value: await run(() => 7_000),
    }));
    const answer = await answerOrBuffer(given, { ...question, mayTakeLong: true });
    expect(answer).toEqual({ rows: 2, website: 'shop', data_buffering: false });
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

  it('returns nulls and knownPart values with a mark while the read continues', async () => {
    const keys: string[] = [];
    const { read, services: given } = services(async (key) => {
      keys.push(key);
      return { ready: false };
    });
    const answer = await answerOrBuffer(given, { ...question, mayTakeLong: true });
    expect(answer).toEqual({ rows: null, website: 'shop', data_buffering: true });
    expect(keys).toEqual(['["getRows","shop"]']);
    expect(read).not.toHaveBeenCalled();
  });

  it.each([true, false])(
    'gives a read the rows and results in memory; mostly quick: %s',
    async (mostlyQuick) => {
      const { services: given } = services(async (_key, _owner, run) => ({
        ready: true,
        value: await run(() => 7_000),
      }));
      const memory = { keptHours: {}, keptDays: {} };
      const reader = { ...given.reader, ...memory };
      const slowReads = { ...given.slowReads, isUnderWay: () => false };
      const seen = vi.fn();
      await answerOrBuffer({ ...given, reader, slowReads } as ApiServices, {
        ...question,
        ...{ mayTakeLong: true, mostlyQuick },
        read(wrapped) {
          seen(wrapped);
          return question.read(wrapped);
        },
      });
      expect(seen).toHaveBeenCalledWith(expect.objectContaining(memory));
    },
  );
});

describe('bufferedSchema', () => {
  it('allows null in every field except the knownPart ones', () => {
    const schema = bufferedSchema(z.object({ rows: z.int(), window: z.string() }));
    expect(schema.safeParse({ rows: null, window: 'w', data_buffering: true }).success).toBe(true);
    expect(schema.safeParse({ rows: 1, window: null, data_buffering: false }).success).toBe(false);
  });
});
