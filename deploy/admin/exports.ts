import { type Command, Option } from 'commander';
import { type FileFormat, fileFormats } from '../../shared/control/exports/file-format.js';
import { AdminError } from './instance/instance.js';
import { addList, type Session } from './instance/session.js';

/** `export`: files that customers have asked for, and schedules by which each day of a website is stored as one. */
export function addExports(program: Command, session: Session): void {
  const exports = program.command('export').description('files that customers have asked for');
  addList(exports, session, 'exports', 'website').description(
    'those that wait, are being made, or were over in the last seven days',
  );
  exports
    .command('cancel')
    .description('ends one that waits or is being made')
    .argument('<export>', 'id')
    .action(async (exportId: string) => {
      const { id, status } = await session.run({ type: 'cancelExport', exportId });
      session.print(`${id} is ${status}`);
    });
  addSchedules(exports, session);
}

function addSchedules(exports: Command, session: Session): void {
  const schedule = exports
    .command('schedule')
    .description('stores the requests of each finished UTC day of a website in the file store, for good')
    // Not `requiredOption`: list and remove would be asked for it, too.
    .option('--website <website>', 'id')
    .addOption(new Option('--format <format>', 'of the files').choices(fileFormats).default('parquet'))
    .option('--from <day>', 'first day, such as 2026-11-21; default yesterday')
    .action(async ({ website, format, from }: { website?: string; format: FileFormat; from?: string }) => {
      if (website === undefined) throw new AdminError('--website names the website whose days are stored');
      const set = await session.run({
        type: 'scheduleExport',
        websiteId: website,
        format,
        ...(from === undefined ? {} : { from }),
      });
      session.print(`${set.id}: each day from ${set.from} on, as ${set.format}, below ${set.id}/requests/`);
    });
  addList(schedule, session, 'export-schedules', 'website');
  schedule
    .command('remove')
    .description('stores no further day; files that are there stay')
    .argument('<website>', 'id')
    .action(async (websiteId: string) => {
      const { id } = await session.run({ type: 'unscheduleExport', websiteId });
      session.print(`${id}: no further day is stored`);
    });
}
