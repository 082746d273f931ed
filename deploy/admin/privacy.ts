import { type Command, InvalidArgumentError } from 'commander';
import { AdminError } from './instance/instance.js';
import { renderTable } from './instance/render.js';
import type { Session } from './instance/session.js';
import type { PrivacyReport } from './server/set-privacy.js';

interface Given {
  readonly addressDays?: number | 'none';
  readonly botsOnly?: boolean;
}

/**
 * `websites set`: how long addresses of visitors are kept, and whether people's requests are taken (docs/privacy.md).
 * @param websites the group of commands that it joins.
 */
export function addPrivacy(websites: Command, session: Session): void {
  websites
    .command('set')
    .description('what is kept of its visitors; stored requests follow')
    .argument('<website>', 'id')
    .option(
      '--address-days <days>',
      'whole days that client addresses are kept; none: as long as requests',
      daysOf,
    )
    .option('--bots-only', 'requests of people are not stored')
    .option('--no-bots-only', 'they are')
    .action(async (websiteId: string, { addressDays, botsOnly }: Given) => {
      const wanted = {
        websiteId,
        ...(addressDays === undefined ? {} : { addressDays: addressDays === 'none' ? null : addressDays }),
        ...(botsOnly === undefined ? {} : { botsOnly }),
      };
      const answer = await session.answer<PrivacyReport>('/privacy', wanted);
      session.show(answer, () => inWords(answer).join('\n'));
      if (!answer.complete)
        throw new AdminError('not finished: more came under the setting of before; repeat it');
    });
}

function daysOf(text: string): number | 'none' {
  if (text === 'none') return text;
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('a number of days, or none');
  return Number(text);
}

function inWords({ websiteId, privacy, rows, cleared, remains }: PrivacyReport): string[] {
  const { addressDays, botsOnly } = privacy;
  return [
    renderTable([{ websiteId, addressDays, botsOnly }]),
    `${rows} stored requests got another last day of their address, ${cleared} lost theirs now`,
    ...remains.map(
      ({ place, days, what }) =>
        `${place} keeps ${what}, ${days === null ? 'until the file is deleted' : `for ${days} days at most`}`,
    ),
  ];
}
