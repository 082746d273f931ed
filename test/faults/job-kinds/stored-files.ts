import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Export } from '../../../shared/control/domain/model.js';
import { command, type JobWebsite, type JobWorld } from '../job-world.js';

/** Files of jobs in the file store, and their exports. */

/** Size and digest of a file, as in a manifest. */
export async function factsOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const content = await readFile(path);
  return { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

export async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}

/** Paths of the files below a folder, sorted. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .sort();
}

export const exportsOf = ({ control }: JobWorld, { id }: JobWebsite): readonly Export[] =>
  control.state().exports.by('websiteId', id);

/** Requests an export with a message to its owner at the end. */
export async function requestExport(
  world: JobWorld,
  { id: websiteId, userId }: JobWebsite,
  { exportType, question }: { readonly exportType: string; readonly question: object },
): Promise<void> {
  const asked = { exportType, notify: true, filters: '{}', description: 'Of the test' };
  const by = { websiteId, userId, apiKeyId: 'key_of_the_test' };
  await command(world, { type: 'requestExport', ...asked, ...by, question: JSON.stringify(question) });
}

export const wasAttempted = async (world: JobWorld, website: JobWebsite): Promise<boolean> =>
  exportsOf(world, website).some(({ attempts }) => attempts > 0);

/** Paths of a website's completed exports. @param names of each export's files; '': its own. */
export function exportFiles(world: JobWorld, website: JobWebsite, names: readonly string[]): string[] {
  return exportsOf(world, website).flatMap(({ file }) =>
    file === null
      ? []
      : names.map((name) =>
          name === '' ? join(world.files, file.key) : join(world.files, file.key, '..', name),
        ),
  );
}
