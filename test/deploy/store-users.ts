import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { migrationNames, OWN_DIRECTORY } from '../../shared/store/migrate.js';

/** Rights of each ClickHouse user in the files, and rights that the source code of each service needs. */

/** "INSERT requests": a right on one table, or on all of them (`*`). */
export type Right = string;

const USERS = 'deploy/kubernetes/overlays/small/clickhouse-users.xml';

/** The statements of each user, as written. */
export function grantsOfUsers(): Map<string, string[]> {
  const users = readFileSync(USERS, 'utf8').matchAll(/<(loglane_\w+)>(.*?)<\/\1>/gs);
  return new Map(
    [...users].map(([, user, body]) => [
      user!,
      [...body!.matchAll(/<query>(.*?)<\/query>/g)].map(([, query]) => query!),
    ]),
  );
}

export function rightsOf(grants: readonly string[]): Set<Right> {
  return new Set(
    grants.flatMap((grant) => {
      const [, actions, table] = /^GRANT ([A-Z0-9, ]+) ON loglane\.(\w+|\*)$/.exec(grant) ?? [];
      return (actions?.split(', ') ?? []).map((action) => `${action} ${table}`);
    }),
  );
}

export async function tablesOfSchema(): Promise<Set<string>> {
  const texts = (await migrationNames(OWN_DIRECTORY)).map((name) =>
    readFileSync(join(OWN_DIRECTORY, name), 'utf8'),
  );
  const created = texts.join('\n').matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g);
  return new Set(['schema_migrations', ...[...created].map(([, table]) => table!)]);
}

/** Rights used by the sources of a service and their imports. */
export async function rightsUsed(service: string): Promise<Set<Right>> {
  const tables = await tablesOfSchema();
  const used = new Set<Right>();
  for (const file of reachable(`services/${service}/main.ts`)) {
    const text = readFileSync(file, 'utf8');
    const find = (pattern: RegExp, action: string) => {
      for (const [, table] of text.matchAll(pattern)) if (tables.has(table!)) used.add(`${action} ${table}`);
    };
    find(/\btable: '(\w+)'/g, 'INSERT');
    find(/\binsert\w*\(\s*(?:\w+, )*'(\w+)'/g, 'INSERT');
    find(/INSERT INTO (\w+)/g, 'INSERT');
    find(/\b(?:FROM|JOIN) (\w+)/g, 'SELECT');
    find(/\breadTop\('\w+', '(\w+)'\)/g, 'SELECT');
    // Queries get their table from shared/reads/sql/read-tables.ts.
    find(/\b(?:hourTable|dayTable): '(\w+)'/g, 'SELECT');
    find(/SYSTEM SYNC REPLICA (\w+)/g, 'SYSTEM SYNC REPLICA');
    for (const [, list] of text.matchAll(/caughtUpWith: \[([^\]]*)\]/g))
      for (const [, table] of list!.matchAll(/'(\w+)'/g))
        if (tables.has(table!)) used.add(`SYSTEM SYNC REPLICA ${table}`);
    find(/TRUNCATE TABLE (?:IF EXISTS )?(\w+)/g, 'TRUNCATE');
    find(/ALTER TABLE (\w+)\s+UPDATE/g, 'ALTER UPDATE');
    find(/ALTER TABLE (\w+)\s+(?:DROP PARTITION|DELETE)/g, 'ALTER DELETE');
  }
  return used;
}

/** The file and all files that it imports, directly or indirectly. */
function reachable(start: string): Set<string> {
  const found = new Set([start]);
  for (const file of found) {
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)) {
      const next = join(dirname(file), `${path}.ts`);
      if (existsSync(next)) found.add(next);
    }
  }
  return found;
}
