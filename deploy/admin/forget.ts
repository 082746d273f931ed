import type { Command } from 'commander';
import type { CommandContext } from './instance/command-context.js';
import { AdminError } from './instance/instance.js';
import { renderTable } from './instance/render.js';
import type { ForgetReport } from './server/forget-days.js';

interface Given {
  readonly website: string;
  readonly day: string;
  readonly to?: string;
  readonly source?: string;
  readonly yes?: true;
}

/** `forget`: removes days of a website (deploy/admin/rows/forget-days.ts). Without --yes it only shows a preview. */
export function addForget(program: Command, context: CommandContext): void {
  program
    .command('forget')
    .description('permanently removes days of a website; without --yes, shows a preview')
    .requiredOption('--website <id>', 'id')
    .requiredOption('--day <day>', 'UTC day of the requests: YYYY-MM-DD')
    .option('--to <day>', 'last day (default: the same day)')
    .option('--source <source>', 'only requests of this log source (default: all sources)')
    .option('--yes', 'remove the days')
    .addHelpText(
      'after',
      `
The command removes data that was received before its start: requests, rollups, stored days, and uploads if the log can be
rewritten. Later data, alerts and the learned state of the detector stay. Repeat the command after a crash.
To import the days again, pass the text that the command prints at its end: npx loglane import --generation … FILE`,
    )
    .action(async ({ website, day, to = day, source = undefined, yes }: Given) => {
      const wanted = { websiteId: website, from: day, to, source: source ?? null, yes: yes === true };
      const answer = await context.answer<ForgetReport>('/forget', wanted);
      context.show(answer, () => described(answer).join('\n'));
      if (!answer.complete)
        throw new AdminError('not finished: more requests arrived meanwhile; repeat the command');
    });
}

function described({ before, after, records, files, logUntil, receivedBy }: ForgetReport): string[] {
  const rows = Object.entries(before).map(([table, count]) =>
    after === null
      ? { table, rows: count }
      : { table, before: count, after: Object.hasOwn(after, table) ? after[table] : 0 },
  );
  const kept = logUntil === null ? [] : [`requests.raw keeps the uploads (${logUntil})`];
  if (after === null)
    return [
      renderTable(rows),
      ...kept,
      '\nNothing was changed. Repeat with --yes to remove the days permanently.',
    ];
  return [
    renderTable(rows),
    `${records} log records rewritten`,
    `${files} files of stored days removed`,
    ...kept,
    `to import it again: npx loglane import --generation ${receivedBy} FILE`,
  ];
}
