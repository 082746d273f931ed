import { type Command, Option } from 'commander';
import { type FileFormat, fileFormats } from '../../shared/control/exports/file-format.js';
import { addList, type CommandContext } from './instance/command-context.js';
import { AdminError } from './instance/instance.js';

/** `export`: exports that customers requested, and daily schedules that store each day of a website as a file. */
export function addExports(program: Command, context: CommandContext): void {
  const exports = program.command('export').description('manages exports and daily export schedules');
  addList(exports, context, 'exports', 'website').description(
    'lists waiting and running exports, and those that ended in the last seven days',
  );
  exports
    .command('cancel')
    .description('cancels a waiting or running export')
    .argument('<export>', 'id')
    .action(async (exportId: string) => {
      const { id, status } = await context.run({ type: 'cancelExport', exportId });
      context.print(`${id} is ${status}`);
    });
  addSchedules(exports, context);
}

function addSchedules(exports: Command, context: CommandContext): void {
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
      const set = await context.run({
        type: 'scheduleExport',
        websiteId: website,
        format,
        ...(from === undefined ? {} : { from }),
      });
      context.print(`${set.id}: each day from ${set.from} on, as ${set.format}, below ${set.id}/requests/`);
    });
  addList(schedule, context, 'export-schedules', 'website');
  schedule
    .command('remove')
    .description('stops storing days; existing files stay')
    .argument('<website>', 'id')
    .action(async (websiteId: string) => {
      const { id } = await context.run({ type: 'unscheduleExport', websiteId });
      context.print(`${id}: no further days are stored`);
    });
}
