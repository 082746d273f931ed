import { type Command, InvalidArgumentError } from 'commander';
import { type Row, renderTable } from './instance/render.js';
import type { Session } from './instance/session.js';

/** `dead`: records that could not be stored (deploy/admin/dead-letters/dead-letter-queue.ts). */
export function addDeadRecords(program: Command, session: Session): void {
  const dead = program.command('dead').description('records that could not be stored');
  const show = (rows: Row[]) => session.show(rows, () => renderTable(rows.map(inOneLine)));
  dead.command('list').action(async () => show(await session.rows('/dead')));
  dead
    .command('replay')
    .description('puts records back into requests.raw, once what kept them from being stored is mended')
    .option('--partition <number>', 'with --offset: the one record there', wholeNumber)
    .option('--offset <number>', '', wholeNumber)
    .option('--all', 'all that were not replayed yet')
    .option('--again', 'those, too, that were replayed before: what was stored would count twice')
    .action(async (given: ReplayOptions, command: Command) => {
      show(await session.rows('/dead/replay', { ...wanted(given, command), again: given.again ?? false }));
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
