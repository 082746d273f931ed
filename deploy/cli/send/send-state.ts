import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { failure } from '../cli-error.js';
import type { Context } from '../context.js';
import { fieldOf, isRow } from '../output/rows.js';
import { statePath, writePrivately } from '../settings/settings-file.js';

/** A sender's memory of a file: up to where ingest has it, and the upload whose answer is not known yet. */
export interface SendState {
  /** The file itself, under any name. */
  readonly device: number;
  readonly inode: number;
  /** When the file was last written, in milliseconds: files that were rotated after it are newer. */
  readonly modified: number;
  /** Bytes that ingest has. */
  readonly offset: number;
  /** Digest of the first bytes: another file may get the same inode. */
  readonly head: { readonly bytes: number; readonly digest: string };
  /** Counts the files of this path, and how often one was emptied: the same bytes at the same offset of the same inode are then other lines. */
  readonly generation: number;
  /** Bytes after the offset that were sent under a name. After a kill, the same bytes are sent under the same name. */
  readonly pending: { readonly bytes: number; readonly name: string } | null;
}

/** Whether ingest may have lines of the file. */
export function hasSent({ offset, generation, pending }: SendState): boolean {
  return offset > 0 || generation > 0 || pending !== null;
}

/** @param website id of the receiver (deploy/import/part.ts) */
export function sendStatePath(env: Context['env'], file: string, website: string): string {
  const digest = createHash('sha256')
    .update(`${website}\n${resolve(file)}`)
    .digest('hex')
    .slice(0, 32);
  return statePath(env, `send/${digest}.json`);
}

/** @returns null if there is none. @throws CliError if it is damaged: sending again could double lines */
export async function readSendState(path: string): Promise<SendState | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw failure(`${path} can't be read: ${error.message}`);
  });
  if (text === null) return null;
  const state = parse(text);
  if (state === null) throw failure(`${path} is damaged; --from-start sends the file from its beginning`);
  return state;
}

export async function writeSendState(path: string, file: string, state: SendState): Promise<void> {
  await writePrivately(path, `${JSON.stringify({ file: resolve(file), ...state })}\n`);
}

function parse(text: string): SendState | null {
  try {
    const value: unknown = JSON.parse(text);
    const isState =
      isRow(value) &&
      ['device', 'inode', 'offset', 'generation'].every((name) =>
        Number.isSafeInteger(fieldOf(value, name)),
      ) &&
      typeof value.modified === 'number' &&
      isRow(value.head) &&
      (value.pending === null || isRow(value.pending));
    return isState ? (value as unknown as SendState) : null;
  } catch {
    return null;
  }
}
