import { type Command, Option } from 'commander';
import type { ApiKeyScope } from '../../shared/control/domain/model.js';
import { type PublicUrls, signInUrl } from '../../shared/service/public-urls.js';
import type { CommandContext } from './instance/command-context.js';
import { AdminError } from './instance/instance.js';

/** The scope of a key that a viewer and an owner get. */
const scopes: ReadonlyMap<string, ApiKeyScope> = new Map([
  ['viewer', 'read'],
  ['owner', 'read_write'],
]);

interface Given {
  readonly user?: string;
  readonly organisation?: string;
  readonly role: string;
}

/** `sign-in`: a link that opens the console once. */
export function addSignIn(
  program: Command,
  context: CommandContext,
  { urls: configured, servesConsole = true }: { readonly urls: PublicUrls; readonly servesConsole?: boolean },
): void {
  const roles = [...scopes.keys()];
  program
    .command('sign-in')
    .description('makes a link that opens the console, once and within 15 minutes')
    .option('--user <user>', 'id or e-mail address of the person; changes in the console name it')
    .option('--organisation <organisation>', 'id; default that of the user, or the only one')
    .addOption(
      new Option('--role <role>', 'a viewer reads, an owner also writes').choices(roles).default(roles[0]),
    )
    .action(async ({ user, organisation, role }: Given) => {
      if (!servesConsole) throw new AdminError('the console is off (CONSOLE=false)');
      const { apiKey, clearText } = await context.run({
        type: 'createSignInLink',
        organisationId: organisation ?? null,
        user: user ?? null,
        scope: scopes.get(role) ?? 'read',
      });
      const { urls } = await context.answer<{ urls: PublicUrls | null }>('/urls');
      const link = signInUrl(urls ?? configured, clearText);
      const made = { id: apiKey.id, link, role, expiresAt: apiKey.expiresAt };
      context.show(made, () => `${link}\nIt opens the console once, until ${apiKey.expiresAt}.`);
    });
}
