import { type Command, InvalidArgumentError } from 'commander';
import type { PrivacyReport } from '../../shared/control/admin/set-privacy.js';
import { AdminError, type Instance } from './instance.js';
import { renderJson, renderTable } from './render.js';

interface PrivacySession {
  readonly instance: Instance;
  readonly print: (text: string) => void;
}

interface Given {
  readonly addressDays?: number | 'none';
  readonly botsOnly?: boolean;
}

/**
 * `websites set`: how long addresses of visitors are kept, and whether people's requests are taken (docs/privacy.md).
 * @param websites the group of commands that it joins.
 */
export function addPrivacy(program: Command, websites: Command, { instance, print }: PrivacySession): void {
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
      const { answer } = (await instance.post('/privacy', wanted)) as { answer: PrivacyReport };
      if (program.opts().json === true) print(renderJson(answer));
      else show(answer, print);
      if (!answer.complete)
        throw new AdminError('not finished: more came under the setting of before; repeat it');
    });
}

function daysOf(text: string): number | 'none' {
  if (text === 'none') return text;
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('a number of days, or none');
  return Number(text);
}

function show({ websiteId, privacy, rows, cleared, remains }: PrivacyReport, print: (text: string) => void) {
  const { addressDays, botsOnly } = privacy;
  print(renderTable([{ websiteId, addressDays, botsOnly }]));
  print(`${rows} stored requests got another last day of their address, ${cleared} lost theirs now`);
  for (const { place, days, what } of remains)
    print(
      `${place} keeps ${what}, ${days === null ? 'until the file is deleted' : `for ${days} days at most`}`,
    );
}
