import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWN_DIRECTORY } from '../../shared/clickhouse/migrate.js';

export interface MigrationsBefore {
  readonly directory: string;
  /** Takes the folder away. */
  remove(): Promise<void>;
}

/** A folder with the migrations of an older release: those before a number, such as `0064`. */
export async function migrationsBefore(number: string): Promise<MigrationsBefore> {
  const directory = await mkdtemp(join(tmpdir(), 'loglane-migrations-'));
  for (const name of await readdir(OWN_DIRECTORY))
    if (name < number) await cp(join(OWN_DIRECTORY, name), join(directory, name));
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}
