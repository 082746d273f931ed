import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../test/harness/clickhouse.js';
import { toClusterForm } from './cluster-form.js';
import { migrationNames, OWN_DIRECTORY, splitStatements } from './migrate.js';

const files = await migrationNames(OWN_DIRECTORY);
const texts = await Promise.all(files.map((name) => readFile(join(OWN_DIRECTORY, name), 'utf8')));
const statements = files.flatMap((name, file) =>
  splitStatements(texts[file]!).map((statement, index) => [`${name} ${index + 1}`, statement] as const),
);

let store: TestClickHouse;
beforeAll(async () => {
  store = await startTestClickHouse();
});
afterAll(() => store?.stop());

describe('on a cluster', () => {
  test.each(statements)(
    '%s is created on every replica and accepted by the engine',
    async (_name, statement) => {
      const rendered = toClusterForm(statement, 'main');
      expect(rendered.match(/ ON CLUSTER 'main'/g) ?? []).toHaveLength(1);
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
      expect(parsed?.text).toMatch(/^CREATE (TABLE|MATERIALIZED VIEW) IF NOT EXISTS \w+ ON CLUSTER main\b/);
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

  test.each([
    'ALTER TABLE t ADD COLUMN IF NOT EXISTS a UInt8',
    'DROP TABLE IF EXISTS t',
    '-- why\nDROP VIEW IF EXISTS t',
  ])('a later migration can contain: %s', (statement) => {
    expect(toClusterForm(statement, 'c')).toBe(statement.replace(' t', " t ON CLUSTER 'c'"));
  });

  test('the query of a view is unchanged', () => {
    const view = 'CREATE MATERIALIZED VIEW IF NOT EXISTS a_mv TO a AS\nSELECT 1\nFROM requests';
    expect(toClusterForm(view, 'c')).toBe(
      "CREATE MATERIALIZED VIEW IF NOT EXISTS a_mv ON CLUSTER 'c' TO a AS\nSELECT 1\nFROM requests",
    );
  });

  test('the version column of a replacing table is unchanged', () => {
    expect(
      toClusterForm('CREATE TABLE IF NOT EXISTS t (a Int8)\nENGINE = ReplacingMergeTree(a)\nORDER BY a', 'c'),
    ).toBe(
      "CREATE TABLE IF NOT EXISTS t ON CLUSTER 'c' (a Int8)\nENGINE = ReplicatedReplacingMergeTree(a)\nORDER BY a",
    );
  });
});
