import { open } from 'node:fs/promises';
import { websiteOf } from '../../import/part.js';
import type { IngestOptions } from '../../import/run-import.js';
import { createPartSender, type Taken } from '../../import/send-part.js';
import type { AddCommand, Cli } from '../cli.js';
import { CliError, exitCodes, failure, usageError } from '../cli-error.js';
import { sendFile } from '../send/send-file.js';
import { hasSent, readSendState, sendStatePath } from '../send/send-state.js';
import { addIngestOptions } from './import.js';

/** `loglane send FILE…`: the lines of log files, now and as they are written. */

interface SendOptions extends IngestOptions {
  readonly follow?: boolean;
  readonly resume?: boolean;
  readonly fromStart?: boolean;
}

const MOST_FILES = 64;
/** Compressed files are for the import: gzip, bzip2 and zstd. */
const COMPRESSED = [Buffer.from([0x1f, 0x8b]), Buffer.from('BZh'), Buffer.from([0x28, 0xb5, 0x2f, 0xfd])];

export const addSend: AddCommand = (program, cli) => {
  const command = program
    .command('send')
    .description('sends the lines of log files; with --follow also those that are written later')
    .argument('<files...>', 'log files, not compressed')
    .option('--follow', 'waits for more lines, also over rotations of the file')
    .option('--resume', 'continues where the last `send` of the file ended')
    .option('--from-start', 'sends a file again that was sent before')
    .addHelpText(
      'after',
      '\nExample, as a service:\n  loglane send --follow --resume /var/log/nginx/access.log',
    );
  addIngestOptions(command).action(async (files: string[], options: SendOptions) =>
    send(cli, files, options),
  );
};

interface Counts {
  file: string;
  bytes: number;
  uploads: number;
  accepted: number;
  rejected: number;
  skipped: number;
}

async function send(cli: Cli, files: readonly string[], options: SendOptions): Promise<void> {
  if (files.length > MOST_FILES) throw usageError(`at most ${MOST_FILES} files at once`);
  const { findIngest } = await import('../../import/run-import.js');
  const { url, ingestKey } = await findIngest(options, cli.context.env);
  const website = websiteOf(ingestKey);
  for (const file of files) {
    await refuseCompressed(file);
    const state = await readSendState(sendStatePath(cli.context.env, file, website)).catch(() => null);
    if (state !== null && hasSent(state) && options.resume !== true && options.fromStart !== true)
      throw usageError(
        `${file} was sent before, up to byte ${state.offset}: give --resume to continue, or --from-start`,
      );
  }
  const counts = files.map(
    (file): Counts => ({ file, bytes: 0, uploads: 0, accepted: 0, rejected: 0, skipped: 0 }),
  );
  const stop = new AbortController();
  const signal = AbortSignal.any([cli.context.signal, stop.signal]);
  try {
    await Promise.all(counts.map((of) => sendOne(cli, of, { url, ingestKey, website, signal }, options)));
  } finally {
    // A refusal is for all files.
    stop.abort();
    await cli.printer().answer({ files: counts }, ['files']);
  }
  const total = counts.reduce((sum, { accepted, skipped }) => sum + accepted + skipped, 0);
  if (total === 0 && counts.some(({ rejected }) => rejected > 0)) throw failure('ingest rejected every line');
}

async function sendOne(
  cli: Cli,
  of: Counts,
  {
    url,
    ingestKey,
    website,
    signal,
  }: { url: string; ingestKey: string; website: string; signal: AbortSignal },
  { resume = false, follow = false }: SendOptions,
): Promise<void> {
  const { context, note } = cli;
  const { fetch, sleep, now, env } = context;
  const part = createPartSender({
    url,
    ingestKey,
    fetch: (input, init) => fetch(input, { ...init, signal }),
    onWait: (reason, milliseconds) =>
      note(`${of.file}: waiting ${Math.ceil(milliseconds / 1_000)} s: ${reason}`),
    async sleep(milliseconds) {
      await sleep(milliseconds);
      // The upload has a name: --resume sends it again.
      if (signal.aborted) throw new CliError('interrupted', exitCodes.failure);
    },
  });
  await sendFile({
    ...{ path: of.file, statePath: sendStatePath(env, of.file, website), resume, follow },
    ...{ signal, sleep, now, note, send: part },
    onTaken: (taken, bytes) => count(cli, of, taken, bytes),
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function count(
  { note }: Cli,
  of: Counts,
  { accepted, rejected, skipped, errors }: Taken,
  bytes: number,
): void {
  of.uploads++;
  of.bytes += bytes;
  of.accepted += accepted;
  of.rejected += rejected;
  of.skipped += skipped;
  const [first] = errors;
  if (rejected > 0)
    note(
      `${of.file}: ${rejected} lines were rejected${first === undefined ? '' : `, the first: ${first.reason}`}`,
    );
}

async function refuseCompressed(path: string): Promise<void> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const head = buffer.subarray(0, bytesRead);
    if (COMPRESSED.some((magic) => head.subarray(0, magic.length).equals(magic)))
      throw usageError(`${path} is compressed: use \`loglane import\``);
  } finally {
    await file.close();
  }
}
