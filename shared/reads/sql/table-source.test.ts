import { describe, expect, test } from 'vitest';
import { dimensionFilters } from './filters.js';
import type { Rollup } from './read-tables.js';
import { rollingWindow } from './scope.js';
import { type Columns, readsRawRows, tableSourceOf } from './table-source.js';

const hour = 3_600_000;
const start = Date.UTC(2026, 9, 30, 22, 30);
const scope = { websiteId: 'site', window: { start, end: start + 60 * hour }, filters: {} };

const visits: Rollup = {
  hourTable: 'visits_per_hour',
  dayTable: 'visits_per_day',
  filter: 'r.is_bot',
  dimensions: ['country', 'status'],
  metrics: ['requests', 'client_ips'],
};

const withoutCountry: Rollup = { ...visits, hourTable: 'plain_per_hour', dimensions: ['status'] };

const tablesOf = (sql: string) => [...sql.matchAll(/FROM (\w+)/g)].map((match) => match[1]);
const byStatus: Columns = { dimensions: ['status'], metrics: ['requests'] };

describe('the source rows of a question', () => {
  test('come from each table once: whole days and hours from the rollup, and only the edges from the requests', () => {
    expect(tablesOf(tableSourceOf([visits], scope, byStatus).sql)).toEqual([
      'requests',
      'visits_per_hour',
      'visits_per_day',
    ]);
  });

  test('for both windows come from the same tables, each read once', () => {
    const { sql, params } = tableSourceOf([visits], scope, { ...byStatus, compare: true });
    expect(tablesOf(sql)).toEqual(['requests', 'visits_per_hour', 'visits_per_day']);
    expect(sql.match(/AS is_current/g)).toHaveLength(3);
    expect(params.scope_start).toBe(start);
  });

  test('by hour never come from days', () => {
    expect(tablesOf(tableSourceOf([visits], scope, { ...byStatus, time: 'hour' }).sql)).toEqual([
      'requests',
      'visits_per_hour',
    ]);
  });

  test('for a running window on whole hours need no single requests', () => {
    const running = { start: start - 30 * 60_000, end: start + 60 * hour, running: true };
    expect(tablesOf(tableSourceOf([visits], { ...scope, window: running }, byStatus).sql)).toEqual([
      'visits_per_hour',
      'visits_per_day',
    ]);
  });

  test('for a rolling window need single requests only of the cut hours at the two starts', () => {
    const now = start + 7 * 60_000 + 123;
    const { sql, params } = tableSourceOf(
      [visits],
      { ...scope, window: rollingWindow(72 * hour, now) },
      { ...byStatus, compare: true },
    );
    expect(tablesOf(sql)).toEqual(['requests', 'visits_per_hour', 'visits_per_day']);
    const end = start + 8 * 60_000;
    // The previous window ends in the hour in which this one begins.
    expect(params).toMatchObject({
      scope_raw_start_0: end - 144 * hour,
      scope_raw_end_0: end - 144 * hour + 22 * 60_000,
      scope_raw_start_1: end - 72 * hour - 38 * 60_000,
      scope_raw_end_1: end - 72 * hour + 22 * 60_000,
    });
    expect(params).not.toHaveProperty('scope_raw_start_2');
  });

  test('come from the first table with every filter, and from the requests if none has them', () => {
    const filtered = { ...scope, filters: { countries: ['DE'] } };
    expect(tablesOf(tableSourceOf([withoutCountry, visits], scope, byStatus).sql)).toContain(
      'plain_per_hour',
    );
    expect(tablesOf(tableSourceOf([withoutCountry, visits], filtered, byStatus).sql)).toContain(
      'visits_per_hour',
    );
    expect(tablesOf(tableSourceOf([withoutCountry], filtered, byStatus).sql)).toEqual(['requests']);
    expect(readsRawRows([withoutCountry], filtered)).toBe(true);
    expect(readsRawRows([withoutCountry, visits], filtered)).toBe(false);
  });

  test('of a segment come only from the requests, in one piece of the whole window', () => {
    const hostile = "/x'OR(1=1)--";
    const segment = { rules: [{ type: 'prefix', value: hostile }], excludeRules: [] } as const;
    const source = tableSourceOf([visits], { ...scope, filters: { segment } }, byStatus);
    expect(tablesOf(source.sql)).toEqual(['requests']);
    expect(source.params).toMatchObject({
      scope_raw_start_0: scope.window.start,
      scope_raw_end_0: scope.window.end,
    });
    expect(source.sql).toContain('startsWith(r.path, ');
    expect(source.sql).not.toContain(hostile);
    expect(Object.values(source.params)).toContain(hostile);
  });

  test('are filtered by website first, and values of the caller are bound, never part of the SQL', () => {
    const hostile = "x' OR 1 = 1 --";
    const every = {
      countries: [hostile],
      botName: hostile,
      botFamily: hostile,
      botVerified: true as const,
      fileTypes: [hostile],
      hasQuery: true,
      statusClass: 4,
    };
    for (const filters of [{ countries: [hostile] }, every]) {
      const source = tableSourceOf([visits], { ...scope, websiteId: hostile, filters }, byStatus);
      for (const part of source.sql.split('UNION ALL')) {
        expect(part).toMatch(/WHERE (r\.)?website_id = \{scope_website_id: String\} AND/);
        for (const { dimension } of dimensionFilters(filters))
          expect(part).toContain(`{filter_${dimension}: `);
      }
      expect(source.sql).not.toContain(hostile);
      const placeholders = [...source.sql.matchAll(/\{(\w+):/g)].map((match) => match[1]);
      expect(new Set(placeholders)).toEqual(new Set(Object.keys(source.params)));
    }
  });

  test('have the filter of the view if they are requests', () => {
    for (const part of tableSourceOf([visits], scope, byStatus).sql.split('UNION ALL')) {
      expect(part.includes('r.is_bot')).toBe(part.includes('FROM requests'));
    }
  });

  test('are not read from a rollup without the columns', () => {
    expect(() => tableSourceOf([visits], scope, { dimensions: ['path'], metrics: ['bytes_sent'] })).toThrow(
      'visits_per_hour has no path, bytes_sent',
    );
  });
});
