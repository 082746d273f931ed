import { type Command, Option } from 'commander';
import type { ListedDelivery } from '../../shared/control/admin/delivery-desk.js';
import type { ShownWebhookSecret } from '../../shared/control/admin/show-webhook-secret.js';
import { deliveryStatuses } from '../../shared/queries/notification-deliveries.js';
import type { Instance } from './instance.js';
import { renderJson, renderTable } from './render.js';

interface NotificationCommands {
  readonly instance: Instance;
  readonly print: (text: string) => void;
  readonly asJson: () => boolean;
}

/** `alerts webhook-secret` and `alerts deliveries`: how people and programs are told of alerts (services/jobs/notifications). */
export function addNotifications(alerts: Command, { instance, print, asJson }: NotificationCommands): void {
  alerts
    .command('webhook-secret')
    .description('shows what a website’s webhooks are signed with, and makes it where there is none')
    .requiredOption('--website <website>', 'id')
    .option(
      '--new',
      'another one, in place of the one that there is: what it signed is worth nothing from then on',
    )
    .action(async ({ website: websiteId, new: isNew = false }: { website: string; new?: boolean }) => {
      const { answer } = (await instance.post('/webhook-secret', { websiteId, isNew })) as {
        answer: ShownWebhookSecret;
      };
      print(asJson() ? renderJson(answer) : renderTable([{ ...answer }]));
    });

  const deliveries = alerts
    .command('deliveries')
    .description('messages about alerts, and about exports that are over');
  const show = (answer: unknown) => {
    const { rows } = answer as { rows: ListedDelivery[] };
    print(asJson() ? renderJson(rows) : renderTable(rows.map((row) => ({ ...row }))));
  };
  deliveries
    .command('list')
    .description('the newest 1,000')
    .addOption(new Option('--status <status>', 'how they stand').choices(deliveryStatuses).default('dead'))
    .option('--website <website>', 'id; default all websites')
    .action(async ({ status, website }: { status: string; website?: string }) => {
      const query = new URLSearchParams({ status, ...(website === undefined ? {} : { websiteId: website }) });
      show(await instance.get(`/deliveries?${query}`));
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
      show(await instance.post('/deliveries/retry', wanted));
    });
}
