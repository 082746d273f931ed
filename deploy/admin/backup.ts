import { open, readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  type BackupPage,
  backupLines,
  restoreControlLog,
} from '../../shared/control/backup/control-backup.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { AdminError } from './instance.js';
import type { Session } from './session.js';

interface BackupSession extends Session {
  readonly openLog?: (() => Promise<EventLog>) | undefined;
}

/** `backup` and `restore` of the control log: organisations, keys, websites and what people marked. */
export function addBackup(program: Command, session: BackupSession): void {
  program
    .command('backup')
    .description('copies the control log into a new file; it holds personal data and the keys to it')
    .argument('<file>')
    .action((file: string) => backup(file, session));
  program
    .command('restore')
    .description('puts such a copy into an empty log, before anything is started on it')
    .argument('<file>')
    .action((file: string) => restore(file, session));
}

async function backup(path: string, { instance, print }: BackupSession): Promise<void> {
  const page = async (topic: string, from: number) =>
    (await instance.get(`/control-log?topic=${topic}&from=${from}`)) as BackupPage;
  const file = await open(path, 'wx', 0o600).catch((error: Error) => {
    throw new AdminError(`the file can't be made: ${error.message}`);
  });
  let lines = 0;
  try {
    for await (const line of backupLines(page)) {
      await file.write(`${line}\n`);
      lines += 1;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  print(`${lines - 2} records in ${path}`);
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
