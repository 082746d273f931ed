import { type FileStore, removeAll } from '../../../shared/files/file-store.js';

/** Files of websites: exports, reports, stored days. Everything of one lies below its id (shared/files). */

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
