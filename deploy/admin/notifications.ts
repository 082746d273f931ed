import { type Command, Option } from 'commander';
import { deliveryStatuses } from '../../shared/reads/notifications/notification-deliveries.js';
import type { Session } from './instance/session.js';

/** `alerts webhook-secret` and `alerts deliveries`: how people and programs are told of alerts (services/jobs/notifications). */
export function addNotifications(alerts: Command, { answer, rows, show }: Session): void {
  alerts
    .command('webhook-secret')
    .description('shows what a website’s webhooks are signed with, and makes it where there is none')
    .requiredOption('--website <website>', 'id')
    .option(
      '--new',
      'another one, in place of the one that there is: what it signed is worth nothing from then on',
    )
    .action(async ({ website: websiteId, new: isNew = false }: { website: string; new?: boolean }) =>
      show(await answer('/webhook-secret', { websiteId, isNew })),
    );

  const deliveries = alerts
    .command('deliveries')
    .description('messages about alerts, and about exports that are over');
  deliveries
    .command('list')
    .description('the newest 1,000')
    .addOption(new Option('--status <status>', 'how they stand').choices(deliveryStatuses).default('dead'))
    .option('--website <website>', 'id; default all websites')
    .action(async ({ status, website }: { status: string; website?: string }) => {
      const query = new URLSearchParams({ status, ...(website === undefined ? {} : { websiteId: website }) });
      show(await rows(`/deliveries?${query}`));
    });
  deliveries
    .command('retry')
    .description('has those that could not be delivered tried again for a day')
    .argument('[delivery]', 'id')
    .option('--all', 'all of them')
    .option('--website <website>', 'with --all: those of this website')
    .action(async (id: string | undefined, given: { all?: true; website?: string }, command: Command) => {
      if (
        (id === undefined) === (given.all === undefined) ||
        (id !== undefined && given.website !== undefined)
      )
        command.error('give either the id of one, or --all');
      const { website } = given;
      const wanted = id === undefined ? { all: true, ...(website && { websiteId: website }) } : { id };
      show(await rows('/deliveries/retry', wanted));
    });
}
