import { type FileStore, removeAll } from '../../files/file-store.js';

/** Files of websites: exports, reports, stored days. Everything of one lies below its id (shared/files). */

/** As what remains is told of (erasure-desk.ts). */
interface RemainingFiles {
  readonly topic: 'files';
  readonly until: string | null;
  readonly what: string;
}

/** @param store null: the installation stores no files. @throws FileStoreError */
export async function countFiles(store: FileStore | null, websites: Iterable<string>): Promise<number> {
  let count = 0;
  if (store !== null) for (const id of websites) for await (const _ of store.list(`${id}/`)) count++;
  return count;
}

/** @returns how many there were: 0 says that the store has listed none. @throws FileStoreError */
export async function eraseFiles(store: FileStore | null, websites: Iterable<string>): Promise<number> {
  let count = 0;
  if (store !== null) for (const id of websites) count += await removeAll(store, `${id}/`);
  return count;
}

/** What files keep of an address: they are not rewritten row by row. @param now milliseconds since the epoch. */
export function filesThatRemain(store: FileStore | null, now: number, keptMs: number): RemainingFiles[] {
  if (store === null) return [];
  return [
    {
      topic: 'files',
      until: new Date(now + keptMs).toISOString(),
      what: 'exports and reports that were made before',
    },
    {
      topic: 'files',
      until: null,
      what: 'days that were stored by a schedule; those of the last seven are stored anew without it within hours',
    },
  ];
}
