import { type Command, Option } from 'commander';
import { type FileFormat, fileFormats } from '../../shared/control/exports/file-format.js';
import { AdminError } from './instance/instance.js';
import { addList, type Session } from './instance/session.js';

/** `export`: exports that customers requested, and daily schedules that store each day of a website as a file. */
export function addExports(program: Command, session: Session): void {
  const exports = program.command('export').description('manages exports and daily export schedules');
  addList(exports, session, 'exports', 'website').description(
    'lists waiting and running exports, and those that ended in the last seven days',
  );
  exports
    .command('cancel')
    .description('cancels a waiting or running export')
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
    .description('stores the requests of each finished UTC day of a website in the file store, permanently')
    // `requiredOption` would also require it for list and remove.
    .option('--website <website>', 'id')
    .addOption(new Option('--format <format>', 'format of the files').choices(fileFormats).default('parquet'))
    .option('--from <day>', 'first day, such as 2026-11-21 (default: yesterday)')
    .action(async ({ website, format, from }: { website?: string; format: FileFormat; from?: string }) => {
      if (website === undefined)
        throw new AdminError('--website is required: the website whose days are stored');
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
    .description('stops storing days; existing files stay')
    .argument('<website>', 'id')
    .action(async (websiteId: string) => {
      const { id } = await session.run({ type: 'unscheduleExport', websiteId });
      session.print(`${id}: no further days are stored`);
    });
}
