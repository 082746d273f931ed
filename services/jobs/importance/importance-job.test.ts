import { describe, expect, test } from 'vitest';
import { importanceJob } from './importance-job.js';

const NOW = Date.UTC(2026, 10, 22, 3, 14);

const buildOf = (generated: number) => ({
  ...{ build_id: 'before', generated, families: [], verified: [], pages: [], crawls: [], distribution: [] },
  ...{ counted_days: [], counted_requests: [] },
});

interface Stored {
  /** The number of the statement that fails, from 1. */
  readonly failAt?: number;
  /** Whether a build finds any pages. */
  readonly pages?: boolean;
  /** When the newest build began. */
  readonly built?: number;
}

/** A store that records the written tables. */
function recordingStore({ failAt = 0, pages = true, built }: Stored = {}) {
  const written: { table: string; params: Readonly<Record<string, unknown>> }[] = [];
  return {
    written,
    command: async (sql: string, params: Readonly<Record<string, unknown>> = {}) => {
      if (written.length + 1 === failAt) throw new Error('away');
      written.push({ table: /^INSERT INTO (\w+)/.exec(sql)![1]!, params });
    },
    read: async <Row>({ name }: { readonly name: string }) => {
      if (name === 'page_importance.build' && built !== undefined) return [buildOf(built) as Row];
      return name === 'page_importance.any' && pages ? [{ one: 1 } as Row] : [];
    },
  };
}

const website = { id: 'web_1' };

describe('the job of the importance of pages', () => {
  test('writes the commit marker of a build last, with all rows under the given id', async () => {
    const clickhouse = recordingStore();
    const result = await importanceJob(() => 'b7').run(website, { clickhouse, now: () => NOW });
    expect(result).toBeUndefined();
    expect(clickhouse.written.map(({ table }) => table)).toEqual([
      'page_importance',
      // The verified fetches, then the unproved ones.
      ...['crawled_paths', 'crawled_paths'],
      'page_importance_builds',
    ]);
    for (const { params } of clickhouse.written)
      expect(params).toMatchObject({ website_id: 'web_1', build_id: 'b7' });
  });

  test('builds once a day, and again on request', async () => {
    const written = async (built: number, requested: boolean) => {
      const clickhouse = recordingStore({ built });
      await importanceJob(() => 'b').run(website, { clickhouse, now: () => NOW, requested });
      return clickhouse.written.length;
    };
    const midnight = Date.UTC(2026, 10, 22);
    expect(await written(midnight, false)).toBe(0);
    expect(await written(midnight - 1, false)).toBe(4);
    expect(await written(midnight, true)).toBe(4);
  });

  test.each([1, 2, 3, 4])('leaves a build invisible if statement %i fails, and fails', async (statement) => {
    const clickhouse = recordingStore({ failAt: statement });
    await expect(importanceJob(() => 'b').run(website, { clickhouse, now: () => NOW })).rejects.toThrow(
      'away',
    );
    expect(clickhouse.written.map(({ table }) => table)).not.toContain('page_importance_builds');
  });

  test('makes no build if no page was served, and returns that there was nothing yet', async () => {
    const clickhouse = recordingStore({ pages: false });
    const result = await importanceJob(() => 'b').run(website, { clickhouse, now: () => NOW });
    expect(result).toBe('nothing_yet');
    expect(clickhouse.written.map(({ table }) => table)).toEqual(['page_importance']);
  });

  test('writes nothing more after its signal fired', async () => {
    const clickhouse = recordingStore();
    const signal = AbortSignal.abort(new Error('over'));
    await expect(
      importanceJob(() => 'b').run(website, { clickhouse, now: () => NOW, signal }),
    ).rejects.toThrow('over');
    expect(clickhouse.written).toHaveLength(1);
  });
});
