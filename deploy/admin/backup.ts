import { open, readFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { type BackupPage, backupLines, restoreControlLog } from './backup/control-backup.js';
import { AdminError } from './instance/instance.js';
import type { Session } from './instance/session.js';

interface BackupSession extends Session {
  readonly openLog?: (() => Promise<EventLog>) | undefined;
  /** Standard output, for a back-up through a pipe. */
  readonly output?: Writable | undefined;
}

/** `backup` and `restore` of the control log: organisations, keys, websites and the entries of users. */
export function addBackup(program: Command, session: BackupSession): void {
  program
    .command('backup')
    .description(
      'copies the control log into a new file. The file contains personal data and its encryption keys',
    )
    .argument('<file>', 'path of the new file; - is standard output')
    .action((file: string) => (file === '-' ? backupToOutput(session) : backup(file, session)));
  program
    .command('restore')
    .description('writes a back-up into an empty log. Restore before you start any service on the log')
    .argument('<file>')
    .action((file: string) => restore(file, session));
}

function linesOf({ instance }: BackupSession): AsyncGenerator<string> {
  return backupLines(
    async (topic, from) => (await instance.get(`/control-log?topic=${topic}&from=${from}`)) as BackupPage,
  );
}

async function backupToOutput(session: BackupSession): Promise<void> {
  const { output = process.stdout } = session;
  async function* lines() {
    for await (const line of linesOf(session)) yield `${line}\n`;
  }
  await pipeline(lines, output, { end: false });
}

async function backup(path: string, session: BackupSession): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: Error) => {
    throw new AdminError(`the file can't be created: ${error.message}`);
  });
  let lines = 0;
  try {
    for await (const line of linesOf(session)) {
      await file.write(`${line}\n`);
      lines += 1;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  session.print(`${lines - 2} records in ${path}`);
}

async function restore(path: string, { openLog, print }: BackupSession): Promise<void> {
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
