import { type FileHandle, open, stat } from 'node:fs/promises';
import { createDirectives } from '../../import/directives.js';
import type { SendPart, Taken } from '../../import/send-part.js';
import { digestOf, findRotated, headOf, isFileOf, otherFiles, readAt, readLines } from './log-file.js';
import { readSendState, type SendState, writeSendState } from './send-state.js';

/**
 * Sends the lines of one file, and follows it over rotations. Before an upload, its bytes and its name are stored; after its answer, the
 * new offset. So a killed sender repeats at most one upload under its old name, and ingest counts a named upload once.
 */

export interface SendFileOptions {
  readonly path: string;
  readonly statePath: string;
  readonly send: SendPart;
  /** Whether to go on where an earlier sender ended. */
  readonly resume: boolean;
  /** Whether to wait for more lines. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
  readonly onTaken: (taken: Taken, bytes: number) => void;
  readonly note: (text: string) => void;
}

const POLL_MS = 500;
/** A program writes into a rotated file until it opens the new one. */
const QUIET_AFTER_ROTATION_MS = 5_000;
/** The directives of a W3C file are within its first bytes. */
const DIRECTIVE_BYTES = 64 * 1024;

interface OpenFile {
  readonly file: FileHandle;
  state: SendState;
}

export async function sendFile(options: SendFileOptions): Promise<void> {
  const { path, signal, follow, resume, sleep } = options;
  const queue: string[] = [];
  let current: OpenFile | null = await openFirst(options, queue);
  let generation = current?.state.generation ?? 0;
  try {
    while (!signal.aborted) {
      if (current !== null) {
        const isOld = await isReplaced(path, current.state);
        await restartIfEmptied(options, current);
        // A file that is sent once has an end. With --resume its last line may still be written.
        await sendAvailable(options, current, !follow && !resume);
        if (isOld) {
          await drain(options, current);
          if (signal.aborted) return;
          await current.file.close();
          generation = current.state.generation + 1;
          current = await openNext(options, queue.shift() ?? path, generation);
          continue;
        }
        if (!follow) return;
      }
      await sleep(POLL_MS);
      current ??= await openNext(options, queue.shift() ?? path, generation);
    }
  } finally {
    await current?.file.close();
  }
}

/** The file to begin with: the one where an earlier sender ended, also if it was rotated since. @throws if there is none and none is awaited */
async function openFirst(options: SendFileOptions, queue: string[]): Promise<OpenFile | null> {
  const { path, statePath, resume, follow, note } = options;
  const state = await readSendState(statePath).catch((error: unknown) => {
    if (resume) throw error;
    return null;
  });
  const generation = state === null ? 0 : state.generation + 1;
  if (resume && state !== null) {
    const file = await open(path, 'r').catch(() => null);
    if (file !== null && (await isFileOf(file, state))) return { file, state };
    const isSame = file !== null && (await file.stat()).ino === state.inode;
    await file?.close();
    if (isSame) {
      note(`${path}: was emptied, or is another file; lines that were written before may be missing`);
      // A deleted file's inode may be that of the newest one: then files between them are not sent yet.
      queue.push(...(await otherFiles((await findRotated(path, state)).later, state)));
      return openNext(options, queue.shift() ?? path, generation);
    }
    const rotated = await findRotated(path, state);
    queue.push(...rotated.later);
    if (rotated.file !== null) return { file: rotated.file, state };
    note(`${path}: the file that was sent last is gone; lines that were written to it later are not sent`);
    return openNext(options, queue.shift() ?? path, generation);
  }
  const first = await openNext(options, path, generation);
  // Without --follow a missing file is an error.
  return first ?? (follow ? null : Promise.reject(new Error(`${path}: no such file`)));
}

/** Opens a file and stores that it is the current one: it may be rotated before its first upload. @returns null: not there (yet) */
async function openNext(
  { path, statePath }: SendFileOptions,
  at: string,
  generation: number,
): Promise<OpenFile | null> {
  const file = await open(at, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return null;
  const { dev: device, ino: inode, mtimeMs: modified } = await file.stat();
  const head = await headOf(file, 0);
  const state = { device, inode, modified, offset: 0, head, generation, pending: null };
  await writeSendState(statePath, path, state);
  return { file, state };
}

/** Whether another file has the path now. A missing one may be on its way. */
async function isReplaced(path: string, { device, inode }: SendState): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats !== null && (stats.ino !== inode || stats.dev !== device);
}

/** Reads a rotated file to its end: until nothing has come for some seconds, and a last line without an end too. */
async function drain(options: SendFileOptions, current: OpenFile): Promise<void> {
  const { now, sleep, signal } = options;
  let quietSince = (await current.file.stat()).mtimeMs;
  while (!signal.aborted && now() - quietSince < QUIET_AFTER_ROTATION_MS) {
    const before = current.state.offset;
    await sleep(POLL_MS);
    await sendAvailable(options, current, false);
    if (current.state.offset > before) quietSince = now();
  }
  if (!signal.aborted) await sendAvailable(options, current, true);
}

/** A file that was copied and emptied (copytruncate) begins again. */
async function restartIfEmptied({ path, note }: SendFileOptions, current: OpenFile): Promise<void> {
  if (await isFileOf(current.file, current.state)) return;
  note(`${path}: was emptied; lines that were written just before may be missing`);
  const head = await headOf(current.file, 0);
  current.state = {
    ...current.state,
    offset: 0,
    head,
    pending: null,
    generation: current.state.generation + 1,
  };
}

async function sendAvailable(options: SendFileOptions, current: OpenFile, isWhole: boolean): Promise<void> {
  const directives = createDirectives();
  if (current.state.offset > 0)
    directives.read(await readAt(current.file, 0, Math.min(DIRECTIVE_BYTES, current.state.offset)));
  while (!options.signal.aborted) {
    const bytes =
      (await pendingBytes(options, current)) ??
      (await readLines(current.file, current.state.offset, isWhole));
    if (bytes.length === 0) return;
    await sendChunk(options, current, bytes, directives.lines);
    directives.read(bytes);
  }
}

async function sendChunk(
  { path, statePath, send, onTaken }: SendFileOptions,
  current: OpenFile,
  bytes: Buffer,
  head: Buffer,
): Promise<void> {
  const name = nameOf(current.state, bytes);
  current.state = { ...current.state, pending: { bytes: bytes.length, name } };
  await writeSendState(statePath, path, current.state);
  const taken = await send([head, bytes], name);
  const offset = current.state.offset + bytes.length;
  const { mtimeMs: modified } = await current.file.stat();
  current.state = {
    ...current.state,
    modified,
    offset,
    head: await headOf(current.file, offset),
    pending: null,
  };
  await writeSendState(statePath, path, current.state);
  onTaken(taken, bytes.length);
}

/** The bytes of an upload without an answer; null: there is none. */
async function pendingBytes(
  { path, note }: SendFileOptions,
  { file, state }: OpenFile,
): Promise<Buffer | null> {
  if (state.pending === null) return null;
  const bytes = await readAt(file, state.offset, state.pending.bytes);
  if (nameOf(state, bytes) === state.pending.name) return bytes;
  note(`${path}: changed after it was sent; lines of the last upload may count twice`);
  return null;
}

/** Ingest counts uploads of one name once. */
function nameOf({ device, inode, offset, generation }: SendState, bytes: Buffer): string {
  return `send-${digestOf(Buffer.from(JSON.stringify([device, inode, generation, offset, digestOf(bytes)])))}`;
}
