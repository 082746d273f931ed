import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from './instance/command-context.js';
import { AdminError } from './instance/instance.js';
import { renderTable } from './instance/render.js';
import type { PrivacyReport } from './server/set-privacy.js';

interface Given {
  readonly addressDays?: number | 'none';
  readonly botsOnly?: boolean;
}

/**
 * `websites set`: retention of client addresses, and whether requests of people are stored (docs/privacy.md).
 * @param websites the parent command.
 */
export function addPrivacy(websites: Command, context: CommandContext): void {
  websites
    .command('set')
    .description('changes the data stored about visitors; applies to stored requests, too')
    .argument('<website>', 'id')
    .option(
      '--address-days <days>',
      'whole days to keep client addresses; none: as long as the requests',
      daysOf,
    )
    .option('--bots-only', 'do not store requests of people')
    .option('--no-bots-only', 'store requests of people')
    .action(async (websiteId: string, { addressDays, botsOnly }: Given) => {
      const wanted = {
        websiteId,
        ...(addressDays === undefined ? {} : { addressDays: addressDays === 'none' ? null : addressDays }),
        ...(botsOnly === undefined ? {} : { botsOnly }),
      };
      const answer = await context.answer<PrivacyReport>('/privacy', wanted);
      context.show(answer, () => inWords(answer).join('\n'));
      if (!answer.complete)
        throw new AdminError(
          'not finished: more requests arrived under the previous setting; repeat the command',
        );
    });
}

function daysOf(text: string): number | 'none' {
  if (text === 'none') return text;
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('expected a number of days, or none');
  return Number(text);
}

function inWords({ websiteId, privacy, rows, cleared, remains }: PrivacyReport): string[] {
  const { addressDays, botsOnly } = privacy;
  return [
    renderTable([{ websiteId, addressDays, botsOnly }]),
    `${rows} stored requests keep their address until another day, ${cleared} lost it now`,
    ...remains.map(
      ({ place, days, what }) =>
        `${place} keeps ${what}, ${days === null ? 'until the file is deleted' : `for ${days} days at most`}`,
    ),
  ];
}
