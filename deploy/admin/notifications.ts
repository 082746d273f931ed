import { type Command, Option } from 'commander';
import { deliveryStatuses } from '../../shared/reads/notifications/notification-deliveries.js';
import type { CommandContext } from './instance/command-context.js';

/** `alerts webhook-secret` and `alerts deliveries`: notifications by e-mail and webhook (services/jobs/notifications). */
export function addNotifications(alerts: Command, { answer, rows, show }: CommandContext): void {
  alerts
    .command('webhook-secret')
    .description('shows the secret that signs the webhooks of a website; creates it if there is none')
    .requiredOption('--website <website>', 'id')
    .option('--new', 'replaces the secret; signatures of the old secret are no longer valid')
    .action(async ({ website: websiteId, new: isNew = false }: { website: string; new?: boolean }) =>
      show(await answer('/webhook-secret', { websiteId, isNew })),
    );

  const deliveries = alerts
    .command('deliveries')
    .description('manages messages about alerts and finished exports');
  deliveries
    .command('list')
    .description('lists the newest 1,000 messages')
    .addOption(
      new Option('--status <status>', 'status of the messages').choices(deliveryStatuses).default('dead'),
    )
    .option('--website <website>', 'id (default: all websites)')
    .action(async ({ status, website }: { status: string; website?: string }) => {
      const query = new URLSearchParams({ status, ...(website === undefined ? {} : { websiteId: website }) });
      show(await rows(`/deliveries?${query}`));
    });
  deliveries
    .command('retry')
    .description('retries failed messages for a day')
    .argument('[delivery]', 'id')
    .option('--all', 'all failed messages')
    .option('--website <website>', 'with --all: only messages of this website')
    .action(async (id: string | undefined, given: { all?: true; website?: string }, command: Command) => {
      if (
        (id === undefined) === (given.all === undefined) ||
        (id !== undefined && given.website !== undefined)
      )
        command.error('give either the id of a message, or --all');
      const { website } = given;
      const wanted = id === undefined ? { all: true, ...(website && { websiteId: website }) } : { id };
      show(await rows('/deliveries/retry', wanted));
    });
}
