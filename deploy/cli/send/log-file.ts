import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { SendState } from './send-state.js';

/** Reading of a log file that grows and is rotated. */

const CHUNK_BYTES = 4 * 1024 ** 2;
/** A longer line is sent in pieces, which ingest rejects. */
const LONGEST_LINE_BYTES = 16 * 1024 ** 2;
const HEAD_BYTES = 256;
const LINE_FEED = 10;

/**
 * The complete lines after an offset, up to about four megabytes.
 * @param isWhole whether a last line without an end counts, because nothing follows
 */
export async function readLines(file: FileHandle, offset: number, isWhole: boolean): Promise<Buffer> {
  for (let size = CHUNK_BYTES; ; size *= 2) {
    const bytes = await readAt(file, offset, size);
    if (isWhole && bytes.length < size) return bytes;
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) return bytes.subarray(0, end);
    if (bytes.length < size) return Buffer.alloc(0);
    if (size >= LONGEST_LINE_BYTES) return bytes;
  }
}

/** As many bytes as there are, at most `size`. */
export async function readAt(file: FileHandle, offset: number, size: number): Promise<Buffer> {
  const { size: length } = await file.stat();
  const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(size, length - offset)));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Digest of the first bytes, of at most so many as were sent. */
export async function headOf(file: FileHandle, offset: number): Promise<SendState['head']> {
  const bytes = await readAt(file, 0, Math.min(HEAD_BYTES, offset));
  return { bytes: bytes.length, digest: digestOf(bytes) };
}

/** Whether this is the file of the state, and not emptied since. */
export async function isFileOf(
  file: FileHandle,
  { device, inode, offset, head }: SendState,
): Promise<boolean> {
  const { dev, ino, size } = await file.stat();
  if (dev !== device || ino !== inode || size < offset) return false;
  return digestOf(await readAt(file, 0, head.bytes)) === head.digest;
}

export interface Rotated {
  /** The file of the state under its new name; null: it is gone, or compressed. */
  readonly file: FileHandle | null;
  /** Files that were rotated after it, the oldest first. */
  readonly later: readonly string[];
}

/** Finds a rotated file by its inode, under any name in the folder of its path. The later files do not include the path itself. */
export async function findRotated(path: string, state: SendState): Promise<Rotated> {
  const folder = dirname(path);
  const current = await stat(path).catch(() => null);
  const names = (await readdir(folder)).filter((name) => !/\.(gz|bz2|xz|zst)$/.test(name));
  const files: { at: string; name: string; stats: Stats }[] = [];
  for (const name of names) {
    const at = join(folder, name);
    const stats = await stat(at).catch(() => null);
    if (stats?.isFile()) files.push({ at, name, stats });
  }
  const later = files
    .filter(
      ({ name, stats }) =>
        isRotatedName(name, basename(path)) &&
        stats.mtimeMs > state.modified &&
        stats.ino !== state.inode &&
        stats.ino !== current?.ino,
    )
    .sort((one, other) => one.stats.mtimeMs - other.stats.mtimeMs)
    .map(({ at }) => at);
  const old = files.find(({ stats }) => stats.ino === state.inode && stats.dev === state.device);
  if (old === undefined) return { file: null, later };
  const file = await open(old.at, 'r');
  if (await isFileOf(file, state)) return { file, later };
  await file.close();
  return { file: null, later };
}

/** `access.log.1`, or `access-20261128.log`, as logrotate names it with the directive `extension`. */
function isRotatedName(name: string, of: string): boolean {
  if (name.startsWith(of)) return true;
  const ending = extname(of);
  const stem = basename(of, ending);
  if (ending === '' || !name.startsWith(stem) || !name.endsWith(ending)) return false;
  return /^[-_.][-_.\d]+$/.test(name.slice(stem.length, -ending.length));
}

/** The files that are no copy of the one that was sent: a copy begins with its first bytes. */
export async function otherFiles(paths: readonly string[], { head }: SendState): Promise<string[]> {
  const others: string[] = [];
  for (const path of paths) {
    const file = await open(path, 'r');
    if (digestOf(await readAt(file, 0, head.bytes)) !== head.digest) others.push(path);
    await file.close();
  }
  return others;
}

export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
