import type { Command } from 'commander';
import { AdminError } from './instance/instance.js';
import { renderTable } from './instance/render.js';
import type { Session } from './instance/session.js';
import type { ForgetReport } from './server/forget-days.js';

interface Given {
  readonly website: string;
  readonly day: string;
  readonly to?: string;
  readonly source?: string;
  readonly yes?: true;
}

/** `forget`: takes days of a website out again (deploy/admin/rows/forget-days.ts). Shows what would go, and does it with --yes. */
export function addForget(program: Command, session: Session): void {
  program
    .command('forget')
    .description('takes days of a website out again, for good; without --yes it only shows what would go')
    .requiredOption('--website <id>', 'whose requests')
    .requiredOption('--day <day>', 'of the requests’ own time, UTC: YYYY-MM-DD')
    .option('--to <day>', 'the last day; default the same')
    .option('--source <source>', 'what this log source sent alone; default everything')
    .option('--yes', 'do it')
    .addHelpText(
      'after',
      `
What was received before the command begins goes: requests, rollups, stored days, and uploads in the log where it can be
changed. What arrives later stays. Alerts and what the detector has learned stay. Repeat it after a crash.
To import the days again, pass the text that the command names at its end: npm run import -- --generation … FILE`,
    )
    .action(async ({ website, day, to = day, source = undefined, yes }: Given) => {
      const wanted = { websiteId: website, from: day, to, source: source ?? null, yes: yes === true };
      const answer = await session.answer<ForgetReport>('/forget', wanted);
      session.show(answer, () => described(answer).join('\n'));
      if (!answer.complete) throw new AdminError('not finished: more came while it ran; repeat it');
    });
}

function described({ before, after, records, files, logUntil, receivedBy }: ForgetReport): string[] {
  const rows = Object.entries(before).map(([table, count]) =>
    after === null
      ? { table, rows: count }
      : { table, before: count, after: Object.hasOwn(after, table) ? after[table] : 0 },
  );
  const kept = logUntil === null ? [] : [`requests.raw keeps what was sent (${logUntil})`];
  if (after === null)
    return [renderTable(rows), ...kept, '\nNothing was changed. Repeat with --yes to take it out for good.'];
  return [
    renderTable(rows),
    `${records} records of the log rewritten`,
    `${files} files of stored days removed`,
    ...kept,
    `to import it again: npm run import -- --generation ${receivedBy} FILE`,
  ];
}
