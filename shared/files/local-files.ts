import { randomBytes, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, mkdir, open, opendir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DAY_MS } from '../durations.js';
import { checkFileKey, type FileStore, FileStoreError, type StoredFile } from './file-store.js';
import { signFile } from './signed-link.js';

/** Folder of unfinished files, which are renamed when complete. No key begins with a dot. */
const WRITING = '.writing';
/** Secret that signs links, shared by all processes that use the folder. */
const SECRET = '.secret';
const SECRET_BYTES = 32;
/** No upload takes this long: an older file was left by a process that died. */
const LEFT_BEHIND_MS = DAY_MS;

export interface LocalFiles extends FileStore {
  /** Signs links. */
  readonly secret: Buffer;
  /** @param range of bytes, inclusive; absent: the whole file. @throws FileStoreError */
  open(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable>;
}

/**
 * Opens a folder. Links lead to the API, which serves the files itself (services/api/files).
 * @param directory created if missing
 * @param base URL of the API as customers see it
 * @throws Error if the folder is not writable
 */
export async function openLocalFiles(directory: string, base: string): Promise<LocalFiles> {
  const root = resolve(directory);
  await mkdir(join(root, WRITING), { recursive: true, mode: 0o700 });
  await clearLeftBehind(join(root, WRITING));
  const secret = await openSecret(root);
  const pathOf = (key: string) => join(root, ...checkFileKey(key).split('/'));
  return {
    secret,
    async put(key, bytes, { signal }) {
      const path = pathOf(key);
      const aside = join(root, WRITING, randomUUID());
      try {
        const target = createWriteStream(aside, { mode: 0o600, flush: true });
        await pipeline(bytes, target, signal === undefined ? {} : { signal });
        await moveTo(aside, path);
        await syncFolder(dirname(path));
      } catch (error) {
        await rm(aside, { force: true });
        throw error;
      }
    },
    async stat(key) {
      return statOf(pathOf(key), key);
    },
    async open(key, range) {
      const file = await open(pathOf(key)).catch((error: unknown) => {
        throw new FileStoreError('the file cannot be opened', { cause: error });
      });
      return file.createReadStream(range);
    },
    link: async (key, { expiresAt, name }) =>
      signFile(secret, base, { key: checkFileKey(key), expiresAt, name }),
    async *list(prefix, { signal } = {}) {
      signal?.throwIfAborted();
      // Lists only the folder in the prefix.
      for await (const path of filesBelow(join(root, dirname(`${prefix}x`)), root)) {
        signal?.throwIfAborted();
        const key = relative(root, path).split('\\').join('/');
        if (!key.startsWith(prefix) || key.startsWith('.')) continue;
        const found = await statOf(path, key);
        if (found !== null) yield found;
      }
    },
    async remove(key, { signal } = {}) {
      signal?.throwIfAborted();
      // Accepts foreign keys too: files that others put under a website's prefix are erased with the website.
      const path = resolve(root, key);
      if (!path.startsWith(root + sep) || relative(root, path).startsWith('.'))
        throw new Error('this is not a valid file key');
      await rm(path, { force: true }).catch((error: unknown) => {
        throw new FileStoreError('the file cannot be removed', { cause: error });
      });
      await removeEmpty(dirname(path), root);
    },
    clearUnfinished: () => clearLeftBehind(join(root, WRITING)),
  };
}

/** Retries, since another process may have removed the folder with its last file. */
async function moveTo(aside: string, path: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      return await rename(aside, path);
    } catch (error) {
      if (!isMissing(error) || tries === 5) throw error;
    }
  }
}

/**
 * Syncs the directory entry, so that the name survives a power loss. Not every system can sync folders, and the folder
 * may already be gone.
 */
async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory).catch(() => null);
  if (folder === null) return;
  await folder
    .sync()
    .catch(() => {})
    .finally(() => folder.close());
}

async function statOf(path: string, key: string): Promise<StoredFile | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? { key, bytes: found.size, modifiedAt: found.mtimeMs } : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw new FileStoreError('the file cannot be inspected', { cause: error });
  }
}

/** @param root an unreadable folder directly under it is skipped as foreign (`lost+found` of a volume). */
async function* filesBelow(directory: string, root: string): AsyncGenerator<string> {
  const entries = await opendir(directory).catch((error: NodeJS.ErrnoException) => {
    if (isMissing(error) || (error.code === 'EACCES' && dirname(directory) === root)) return null;
    throw new FileStoreError('a folder cannot be read', { cause: error });
  });
  if (entries === null) return;
  for await (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path, root);
    else if (entry.isFile()) yield path;
  }
}

/** Removes empty parent folders up to the root, which stays. */
async function removeEmpty(directory: string, root: string): Promise<void> {
  for (let each = directory; each.length > root.length && each.startsWith(root); each = dirname(each)) {
    const removed = await rmdir(each).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

async function clearLeftBehind(directory: string): Promise<void> {
  for await (const path of filesBelow(directory, directory)) {
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > LEFT_BEHIND_MS) await rm(path, { force: true });
  }
}

/** If two processes start at once, the first to link its file wins. */
async function openSecret(root: string): Promise<Buffer> {
  const path = join(root, SECRET);
  const known = await readFile(path).catch(() => null);
  if (known !== null) return checkSecret(known);
  const mine = `${path}.${randomUUID()}`;
  await writeFile(mine, randomBytes(SECRET_BYTES), { mode: 0o600, flush: true });
  await link(mine, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(mine, { force: true });
  return checkSecret(await readFile(path));
}

/** A truncated or foreign secret could be guessed. @throws Error */
function checkSecret(secret: Buffer): Buffer {
  if (secret.length < SECRET_BYTES)
    throw new Error(
      `the file ${SECRET} has fewer than ${SECRET_BYTES} bytes: remove it; existing links then become invalid`,
    );
  return secret;
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';
