import { readFile } from 'node:fs/promises';
import { Argument, type Command } from 'commander';
import { z } from 'zod';
import type { Credential, GoogleCredential } from '../../shared/connections/credential.js';
import { type ConnectionKind, connectionKinds } from '../../shared/control/domain/model.js';
import { ANALYTICS_SYNC, SEARCH_SYNC } from '../../shared/jobs/job-request.js';
import { askConsent } from './consent.js';
import { addList, type CommandContext } from './instance/command-context.js';
import { AdminError } from './instance/instance.js';
import { requestAndShow } from './jobs.js';

interface ConnectContext extends CommandContext {
  /** Default: consent at Google (consent.ts). */
  readonly askConsent?: typeof askConsent | undefined;
}

interface Place {
  readonly website: string;
  readonly property: string;
  readonly name?: string;
}

interface GoogleGiven extends Place {
  readonly serviceAccount?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
}

const ANALYTICS_SCOPE = 'https://www.googleapis.com/auth/analytics.readonly';
const SEARCH_CONSOLE_SCOPE = 'https://www.googleapis.com/auth/webmasters.readonly';

/** `connect` and `disconnect`: outside services with search and analytics figures of a website (docs/connections.md). */
export function addConnect(program: Command, context: ConnectContext): void {
  const connect = program
    .command('connect')
    .description('connects a website to a search or analytics service');
  async function post(
    kind: ConnectionKind,
    { website: websiteId, property, name }: Place,
    credential: Credential,
  ): Promise<void> {
    const named = name === undefined ? {} : { propertyName: name };
    const given = { websiteId, kind, property, ...named, credential };
    context.show(await context.answer('/connections', given));
  }

  ofGoogle(connect.command('search-console'))
    .description('Google Search Console: a service account that may read the property, or your own consent')
    .requiredOption('--property <property>', 'sc-domain:example.com, or the URL of a URL-prefix property')
    .action(async (given: GoogleGiven) =>
      post('google-search-console', given, await googleCredential(given, SEARCH_CONSOLE_SCOPE, context)),
    );

  ofGoogle(connect.command('google-analytics'))
    .description('Google Analytics 4: a service account that may view the property, or your own consent')
    .requiredOption('--property <property>', 'its number, as in Admin, Property details')
    .option('--name <name>', 'display name of the property in API answers')
    .action(async (given: GoogleGiven) => {
      const property = given.property.replace(/^properties\//, '');
      const credential = await googleCredential(given, ANALYTICS_SCOPE, context);
      await post('google-analytics', { ...given, property }, credential);
    });

  connect
    .command('bing')
    .description('Bing Webmaster Tools, with an API key')
    .requiredOption('--website <website>', 'id')
    .requiredOption('--property <url>', 'URL of the site as Bing lists it, such as https://www.example.com/')
    .requiredOption('--api-key <key>', 'from Settings, API access')
    .action((given: Place & { readonly apiKey: string }) =>
      post('bing-webmaster', given, { type: 'api_key', apiKey: given.apiKey }),
    );

  addList(connect, context, 'connections', 'website');

  connect
    .command('sync')
    .description('makes the jobs service read the connected services now')
    .addArgument(new Argument('[source]').choices(['search', 'analytics']).default('search'))
    .requiredOption('--website <website>', 'id')
    .action((source: 'search' | 'analytics', { website: websiteId }: { website: string }) =>
      requestAndShow(context, {
        kind: source === 'analytics' ? ANALYTICS_SYNC : SEARCH_SYNC,
        websiteId,
      }),
    );

  program
    .command('disconnect')
    .description('stops reading from the service and deletes its credential')
    .addArgument(new Argument('<kind>').choices(connectionKinds))
    .requiredOption('--website <website>', 'id')
    .action(async (kind: ConnectionKind, { website: websiteId }: { website: string }) =>
      context.show(await context.run({ type: 'disconnectSource', websiteId, kind })),
    );
}

/** Adds the options for a Google service: a service account, or consent. */
function ofGoogle(command: Command): Command {
  return command
    .requiredOption('--website <website>', 'id')
    .option('--service-account <file>', 'JSON key of a service account')
    .option('--client-id <id>', 'id of an OAuth client of type Desktop app')
    .option('--client-secret <secret>', 'secret of that client (default: the variable GOOGLE_CLIENT_SECRET)');
}

const keyFile = z.object({ client_email: z.string(), private_key: z.string() });

/** The credential from a key file, or from the operator's consent. @throws AdminError */
async function googleCredential(
  { serviceAccount, clientId, clientSecret = process.env.GOOGLE_CLIENT_SECRET }: GoogleGiven,
  scope: string,
  context: ConnectContext,
): Promise<GoogleCredential> {
  if (serviceAccount !== undefined) {
    const file = keyFile.safeParse(await readJsonFile(serviceAccount));
    if (!file.success) throw new AdminError(`${serviceAccount}: expected the JSON key of a service account`);
    const { client_email: clientEmail, private_key: privateKey } = file.data;
    return { type: 'service_account', clientEmail, privateKey };
  }
  if (clientId === undefined || clientSecret === undefined)
    throw new AdminError('give --service-account, or --client-id and --client-secret');
  return (context.askConsent ?? askConsent)({ clientId, clientSecret, scope, print: context.print });
}

async function readJsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    throw new AdminError(`${path}: expected a file of JSON`);
  }
}
