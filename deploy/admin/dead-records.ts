import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from './instance/command-context.js';
import { type Row, renderTable } from './instance/render.js';

/** `dead`: the dead-letter queue (deploy/admin/dead-letters/dead-letter-queue.ts). */
export function addDeadRecords(program: Command, context: CommandContext): void {
  const dead = program
    .command('dead')
    .description('manages the dead-letter queue: records that could not be stored');
  const show = (rows: Row[]) => context.show(rows, () => renderTable(rows.map(inOneLine)));
  dead.command('list').action(async () => show(await context.rows('/dead')));
  dead
    .command('replay')
    .description('appends dead records to requests.raw again. Repair the cause of the failure first')
    .option('--partition <number>', 'partition of one record; needs --offset', wholeNumber)
    .option('--offset <number>', 'offset of that record', wholeNumber)
    .option('--all', 'all records that were not replayed yet')
    .option(
      '--again',
      'also replay records that were replayed before. If the first replay was stored, its requests count twice',
    )
    .action(async (given: ReplayOptions, command: Command) => {
      show(await context.rows('/dead/replay', { ...wanted(given, command), again: given.again ?? false }));
    });
}

interface ReplayOptions {
  readonly partition?: number;
  readonly offset?: number;
  readonly all?: true;
  readonly again?: true;
}

function wanted({ partition, offset, all }: ReplayOptions, command: Command): object {
  const hasPlace = partition !== undefined && offset !== undefined;
  const hasPart = partition !== undefined || offset !== undefined;
  if (all && !hasPart) return { all };
  if (hasPlace && !all) return { partition, offset };
  return command.error('give either --partition and --offset, or --all');
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}

function inOneLine({ replayedTo, ...row }: Row): Row {
  const to = replayedTo as { partition: number; offset: number } | null;
  return { ...row, replayedTo: to === null ? null : `${to.partition}/${to.offset}` };
}
