import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

const TABLES = 'metadata/default';
/** Every folder of a table with rows contains this file. */
const FORMAT = 'format_version.txt';

/**
 * Finds damage in an engine's folder before the engine opens it. The engine would treat a folder without metadata, or a table
 * without its folder, as empty, and return no rows.
 * @returns a description; null: no damage, or a new folder.
 */
export function findFolderDamage(directory: string): string | null {
  try {
    const tables = join(directory, TABLES);
    if (!existsSync(tables)) {
      if (isLink(tables)) return `store is missing or incomplete (${TABLES} is in it)`;
      // An interrupted first start has created no table yet.
      return hasTables(join(directory, 'store')) ? `${TABLES} is missing` : null;
    }
    const folder = realpathSync(tables);
    const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
    return (
      names.map((name) => tableDamage(directory, folder, name)).find((damage) => damage !== null) ?? null
    );
  } catch (error) {
    return (error as Error).message;
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function hasTables(store: string): boolean {
  return listIfThere(store).some((start) =>
    listIfThere(join(store, start)).some((id) => existsSync(join(store, start, id, FORMAT))),
  );
}

function tableDamage(directory: string, tables: string, name: string): string | null {
  const text = readFileSync(join(tables, name), 'utf8');
  const [, kind, id] = /^ATTACH (TABLE|MATERIALIZED VIEW|VIEW) \S+ UUID '([0-9a-f-]{36})'/.exec(text) ?? [];
  if (id === undefined) return `${TABLES}/${name} is truncated or has other contents`;
  if (kind !== 'TABLE') return null;
  const folder = join('store', id.slice(0, 3), id);
  // The engine checks each part.
  return existsSync(join(directory, folder, FORMAT)) && readdirSync(join(directory, folder))
    ? null
    : `${folder} (table ${name.slice(0, -'.sql'.length)}) is missing or incomplete`;
}

function listIfThere(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
