import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../test/harness/clickhouse.js';
import { toClusterForm } from './cluster-form.js';
import { inAttempt, splitStatements } from './migrate.js';

const folder = new URL('./migrations/', import.meta.url);
const statements = readdirSync(folder).flatMap((name) =>
  splitStatements(readFileSync(new URL(name, folder), 'utf8')).map(
    (statement, index) => [`${name} ${index + 1}`, statement] as const,
  ),
);

let store: TestClickHouse;
beforeAll(async () => {
  store = await startTestClickHouse();
});
afterAll(() => store?.stop());

describe('on a cluster', () => {
  test.each(statements)(
    '%s is created on every replica and understood by the engine',
    async (_name, statement) => {
      const plain = inAttempt(statement, '1');
      const rendered = toClusterForm(plain, 'main');
      // Rows are inserted once, and replicated.
      const copiesRows = /^(?:--[^\n]*\n)*INSERT INTO \w+\s[^;]*SELECT/.test(plain.trim());
      expect(rendered.match(/ ON CLUSTER 'main'/g) ?? []).toHaveLength(copiesRows ? 0 : 1);
      if (/^ENGINE = /m.test(statement)) {
        expect(rendered).toMatch(/^ENGINE = Replicated(|Replacing|Aggregating)MergeTree/m);
        expect(rendered).not.toContain('non_replicated');
      }
      const [parsed] = await store.clickhouse.read({
        name: 'test',
        sql: 'SELECT formatQuerySingleLine({statement: String}) AS text',
        params: { statement: rendered },
        row: z.object({ text: z.string() }),
      });
      expect(parsed?.text).toMatch(
        copiesRows
          ? /^INSERT INTO \w+ /
          : /^(CREATE (TABLE|(MATERIALIZED )?VIEW) IF NOT EXISTS|ALTER TABLE|DROP (TABLE|VIEW) IF EXISTS|TRUNCATE TABLE IF EXISTS|EXCHANGE TABLES \w+ AND) \w+ ON CLUSTER main\b/,
      );
    },
  );

  test.each([
    ['a narrower window is the server’s own', 1_000, 10_000],
    ['a wider one stays', 20_000, 20_000],
  ])('%s, and lasts a week', (_name, plain, replicated) => {
    const change = `ALTER TABLE t MODIFY SETTING non_replicated_deduplication_window = ${plain}`;
    expect(toClusterForm(change, 'c')).toBe(
      `ALTER TABLE t ON CLUSTER 'c' MODIFY SETTING replicated_deduplication_window = ${replicated}, replicated_deduplication_window_seconds = 604800`,
    );
  });

  test('what a view selects stays as it is', () => {
    const view = 'CREATE MATERIALIZED VIEW IF NOT EXISTS a_mv TO a AS\nSELECT 1\nFROM requests';
    expect(toClusterForm(view, 'c')).toBe(
      "CREATE MATERIALIZED VIEW IF NOT EXISTS a_mv ON CLUSTER 'c' TO a AS\nSELECT 1\nFROM requests",
    );
  });

  test('the version column of a replacing table stays', () => {
    expect(
      toClusterForm('CREATE TABLE IF NOT EXISTS t (a Int8)\nENGINE = ReplacingMergeTree(a)\nORDER BY a', 'c'),
    ).toBe(
      "CREATE TABLE IF NOT EXISTS t ON CLUSTER 'c' (a Int8)\nENGINE = ReplicatedReplacingMergeTree(a)\nORDER BY a",
    );
  });
});
