import { type FileStore, removeAll } from '../../../shared/files/file-store.js';

/** Files of websites: exports, reports, stored days. The keys of all files begin with the website's id (shared/files). */

/** @param store null: the installation has no file store. @throws FileStoreError */
export async function countFiles(store: FileStore | null, websites: Iterable<string>): Promise<number> {
  let count = 0;
  if (store !== null) for (const id of websites) for await (const _ of store.list(`${id}/`)) count++;
  return count;
}

/** @returns the number of listed and removed files. @throws FileStoreError */
export async function eraseFiles(store: FileStore | null, websites: Iterable<string>): Promise<number> {
  let count = 0;
  if (store !== null) for (const id of websites) count += await removeAll(store, `${id}/`);
  return count;
}
