import { setTimeout } from 'node:timers/promises';
import { z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { answer } from '../../../shared/reads/answer/answer.js';
import { answerWindow, toAnswerWindow } from '../../../shared/reads/answer/windows.js';
import { traffic } from '../../../shared/reads/sql/read-tables.js';
import type { Scope } from '../../../shared/reads/sql/scope.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { StoreTimeoutError } from '../../../shared/store/store-errors.js';
import { testSegment } from '../../../test/harness/test-segment.js';
import type { WebsiteContext } from '../operation/operation.js';
import { windowRead } from '../operation/window-read.js';
import { createSlowReads } from '../slow-reads/slow-reads.js';

/** Answers whose second half reads single requests (`Answer.complete`). */

const NOW = Date.UTC(2026, 10, 3, 14, 37);

const segment = testSegment({ id: 'seg_1', rules: [{ type: 'prefix', value: '/products/' }] });

describe('an answer in two halves', () => {
  const query = { name: 'half', sql: 'SELECT 1', params: {}, row: z.unknown() };
  const halves = answer({
    schema: z.object({ window: answerWindow, visits: z.int(), bounced: z.int().nullable() }),
    from: [[traffic]],
    async read(reader: ClickHouseReader, scope: Scope) {
      await reader.read(query);
      return { window: toAnswerWindow(scope.window), visits: 7, bounced: null };
    },
    async complete(reader, _scope, _input, firstHalf) {
      await reader.read(query);
      return { ...firstHalf, bounced: 3 };
    },
  });
  const operation = windowRead({
    id: 'getHalves',
    tag: 'AI',
    path: '/halves',
    summary: 'Halves',
    description: 'Halves.',
    segment: false,
    answer: halves,
  });

  /** @param ready whether the slow read is finished at the time of the call. */
  async function askHalves(given: Record<string, string>, ready: boolean) {
    const patience: (number | undefined)[] = [];
    let statements = 0;
    const context = {
      website: { id: 'shop' },
      now: NOW,
      services: {
        reader: {
          read: async () => {
            statements += 1;
            return [];
          },
        },
        control: { segment: () => null },
        slowReads: {
          isFinished: () => false,
          answer: async (
            _key: string,
            _owner: string,
            read: (left: () => number) => unknown,
            ms?: number,
          ) => {
            patience.push(ms);
            return ready ? { ready, value: await read(() => 1_000) } : { ready };
          },
        },
      },
    } as unknown as WebsiteContext;
    const input = operation.query.parse(given) as never;
    const answered = await operation.run(input, context);
    expect(operation.answer.parse(answered)).toEqual(answered);
    return { answered, statements, patience, reuse: operation.reuse?.(input, context) };
  }

  it('returns the first while the second is still being read, and does not wait for the deadline', async () => {
    const { answered, statements, patience, reuse } = await askHalves({}, false);
    expect(answered).toMatchObject({ visits: 7, bounced: null, data_buffering: true });
    expect([statements, patience, reuse]).toEqual([1, [1_000], null]);
  });

  it('returns both once the second is read, and reads the first once', async () => {
    const { answered, statements } = await askHalves({}, true);
    expect(answered).toMatchObject({ visits: 7, bounced: 3, data_buffering: false });
    expect(statements).toBe(2);
  });

  it('makes no store query once both are read', async () => {
    let statements = 0;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const context = {
      website: { id: 'shop', organisationId: 'org' },
      now: NOW,
      services: {
        reader: {
          async read({ scan }: { scan?: object }) {
            statements += 1;
            if (scan !== undefined) await finished;
            return [];
          },
        },
        control: { segment: () => null },
        slowReads: createSlowReads({ deadlineMs: 5, now: () => NOW, sleep: (ms) => setTimeout(ms) }),
      },
    } as unknown as WebsiteContext;
    const call = () => operation.run(operation.query.parse({}) as never, context);
    expect(await call()).toMatchObject({ visits: 7, bounced: null, data_buffering: true });
    expect(statements).toBe(2);
    finish();
    await setTimeout(5);
    expect(await call()).toMatchObject({ visits: 7, bounced: 3, data_buffering: false });
    expect(statements).toBe(2);
  });

  it('reads both in the background if a filter needs single requests for the first', async () => {
    const running = await askHalves({ file_type: 'html' }, false);
    expect(running.answered).toMatchObject({ visits: null, bounced: null, data_buffering: true });
    expect([running.statements, running.patience]).toEqual([0, [undefined]]);
    const done = await askHalves({ file_type: 'html' }, true);
    expect(done.answered).toMatchObject({ visits: 7, bounced: 3, data_buffering: false });
  });
});

describe('an answer whose second half is usually quick', () => {
  const quick = windowRead({
    id: 'getQuick',
    tag: 'URLs',
    path: '/quick',
    summary: 'Quick',
    description: 'Quick.',
    segment: true,
    quickSecondHalf: true,
    answer: answer({
      schema: z.object({ window: answerWindow, found: z.string().nullable() }),
      from: [],
      async read(_reader: ClickHouseReader, scope: Scope) {
        return { window: toAnswerWindow(scope.window), found: null };
      },
      async complete(reader, _scope, _input, firstHalf) {
        await reader.read({ name: 'second', sql: 'SELECT 1', params: {}, row: z.unknown() });
        return { ...firstHalf, found: 'it' };
      },
    }),
  });

  /** @param inTime whether an everyday read is quick enough. */
  async function askQuick(given: Record<string, string>, inTime: boolean) {
    const manners: string[] = [];
    const context = {
      website: { id: 'shop', organisationId: 'org' },
      now: NOW,
      services: {
        reader: {
          async read({ scan, timeoutMs }: { scan?: object; timeoutMs: number }) {
            manners.push(scan === undefined ? `everyday, ${timeoutMs} ms` : 'scan');
            if (scan === undefined && !inTime) throw new StoreTimeoutError('too long');
            return [];
          },
        },
        control: { segment: (_websiteId: string, id: string) => (id === segment.id ? segment : null) },
        slowReads: createSlowReads({ deadlineMs: 5_000, now: () => NOW, sleep: (ms) => setTimeout(ms) }),
      },
    } as unknown as WebsiteContext;
    const answered = await quick.run(quick.query.parse(given) as never, context);
    expect(quick.answer.parse(answered)).toEqual(answered);
    expect(answered).toMatchObject({ found: 'it', data_buffering: false });
    return manners;
  }

  it('tries it as an everyday read, and scans if that takes too long', async () => {
    expect(await askQuick({}, true)).toEqual(['everyday, 1000 ms']);
    expect(await askQuick({}, false)).toEqual(['everyday, 1000 ms', 'scan']);
  });

  it('scans at once under a segment', async () => {
    expect(await askQuick({ segment: segment.id }, true)).toEqual(['scan']);
  });

  it('allows null only in the fields that the answer declares', () => {
    const answered = { window: null, found: null, data_buffering: true };
    expect(quick.answer.safeParse(answered).success).toBe(false);
  });
});
