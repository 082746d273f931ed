import { open, readFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { type BackupPage, backupLines, restoreControlLog } from './backup/control-backup.js';
import type { CommandContext } from './instance/command-context.js';
import { AdminError } from './instance/instance.js';

interface BackupContext extends CommandContext {
  readonly openLog?: (() => Promise<EventLog>) | undefined;
  /** Standard output, for a back-up through a pipe. */
  readonly output?: Writable | undefined;
}

/** `backup` and `restore` of the control log: organisations, keys, websites and the entries of users. */
export function addBackup(program: Command, context: BackupContext): void {
  program
    .command('backup')
    .description(
      'copies the control log into a new file. The file contains personal data and its encryption keys',
    )
    .argument('<file>', 'path of the new file; - is standard output')
    .action((file: string) => (file === '-' ? backupToOutput(context) : backup(file, context)));
  program
    .command('restore')
    .description('writes a back-up into an empty log. Restore before you start any service on the log')
    .argument('<file>')
    .action((file: string) => restore(file, context));
}

function linesOf({ instance }: BackupContext): AsyncGenerator<string> {
  return backupLines(
    async (topic, from) => (await instance.get(`/control-log?topic=${topic}&from=${from}`)) as BackupPage,
  );
}

async function backupToOutput(context: BackupContext): Promise<void> {
  const { output = process.stdout } = context;
  async function* lines() {
    for await (const line of linesOf(context)) yield `${line}\n`;
  }
  await pipeline(lines, output, { end: false });
}

async function backup(path: string, context: BackupContext): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: Error) => {
    throw new AdminError(`the file can't be created: ${error.message}`);
  });
  let lines = 0;
  try {
    for await (const line of linesOf(context)) {
      await file.write(`${line}\n`);
      lines += 1;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  context.print(`${lines - 2} records in ${path}`);
}

async function restore(path: string, { openLog, print }: BackupContext): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new AdminError(`the file can't be read: ${error.message}`);
  });
  if (openLog === undefined) throw new AdminError('there is no log to restore into');
  const log = await openLog();
  try {
    print(`${await restoreControlLog(log, text.split('\n'))} records restored`);
  } finally {
    await log.close();
  }
}
