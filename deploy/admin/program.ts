import { Argument, Command, Option } from 'commander';
import { apiKeyScopes, type Platform, platforms } from '../../shared/control/domain/model.js';
import { type PlanId, planIds } from '../../shared/control/domain/plans.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import type { OpenedFiles } from '../../shared/files/open-file-store.js';
import type { DetectedPlatform } from '../../shared/platforms/detect-platform.js';
import type { PublicUrls } from '../../shared/service/public-urls.js';
import { addAlerts } from './alerts.js';
import { addBackup } from './backup.js';
import { addConnect } from './connect.js';
import type { askConsent } from './consent.js';
import { addCrawls } from './crawls.js';
import { addDeadRecords } from './dead-records.js';
import { addErase } from './erase.js';
import { addExports } from './exports.js';
import { addForget } from './forget.js';
import { addList, type CommandContext, createCommandContext } from './instance/command-context.js';
import type { Instance } from './instance/instance.js';
import { type Row, renderTable } from './instance/render.js';
import { addJobs } from './jobs.js';
import { addLogPositions, type OpenKafkaLog } from './log-positions.js';
import { addPrivacy } from './privacy.js';
import { addReclassify } from './reclassify.js';
import type { OpenResumable } from './resume/open-resumable.js';
import { addSignIn } from './sign-in.js';
import { addSiteFiles } from './site-files.js';

/** The operator's command line. The instance validates each command, as it does the commands of the API. */

export interface ProgramOptions {
  readonly instance: Instance;
  readonly print: (text: string) => void;
  readonly detect: (domain: string) => Promise<DetectedPlatform>;
  /** Addresses in sign-in links and in the demo organisation's credentials, if the instance does not serve them itself. */
  readonly urls: PublicUrls;
  /** Whether the API serves the console (CONSOLE). Default: it does. */
  readonly servesConsole?: boolean;
  /** Opens the log if it is on Kafka. Default: it is embedded. */
  readonly openKafkaLog?: OpenKafkaLog;
  /** The log itself, for `restore`; closed after use. */
  readonly openLog?: () => Promise<EventLog>;
  /** The log and the store, for `log resume-from-store`. */
  readonly openResumable?: OpenResumable;
  /** Default: consent at Google (consent.ts). */
  readonly askConsent?: typeof askConsent;
  /** The file store for uploads of crawls. Default: none. */
  readonly openFiles?: () => Promise<OpenedFiles | null>;
}

const KEEP_IT = 'This is the only time the key is shown.';

export function createProgram(options: ProgramOptions): Command {
  const program = new Command('admin')
    .description(
      'Manages the organisations of the Loglane instance that runs on DATA_DIR, or on KAFKA_BROKERS.',
    )
    .option('--json', 'print JSON instead of tables')
    .showHelpAfterError();
  const context = createCommandContext(program, options);
  addOrganisations(program, context);
  addUsers(program, context);
  addWebsites(program, context, options.detect);
  addApiKeys(program, context);
  addSignIn(program, context, options);
  addIngestKeys(program, context);
  addDemoOrganisation(program, context, options.urls);
  addExports(program, context);
  addCrawls(program, { ...context, openFiles: options.openFiles ?? (async () => null) });
  addAlerts(program, context);
  addDeadRecords(program, context);
  addLogPositions(program, {
    ...context,
    openKafkaLog: options.openKafkaLog ?? null,
    openResumable: options.openResumable,
  });
  addErase(program, context);
  addForget(program, context);
  addReclassify(program, context);
  addBackup(program, { ...context, openLog: options.openLog });
  addJobs(program, context);
  addSiteFiles(program, context);
  addConnect(program, { ...context, askConsent: options.askConsent });
  return program;
}

/** Shows the object as JSON, or its rows as tables. @param clearText a new key, shown below the tables. */
function showMade({ show }: CommandContext, made: object, rows: readonly object[], clearText?: string): void {
  const key = clearText === undefined ? [] : [`\n${clearText}\n${KEEP_IT}`];
  show(made, () => [...rows.map((row) => renderTable([row as Row])), ...key].join('\n'));
}

function addOrganisations(program: Command, context: CommandContext): void {
  const organisations = program.command('organisations').description('manages organisations (customers)');
  organisations
    .command('create')
    .argument('<name>')
    .addOption(new Option('--plan <plan>', 'plan of the organisation').choices(planIds).default('free'))
    .action(async (name: string, { plan: planId }: { plan: PlanId }) => {
      const made = await context.run({ type: 'createOrganisation', name, planId });
      context.show(made);
    });
  organisations.command('list').action(async () => context.show(await context.rows('/organisations')));

  const plan = program.command('plan').description('changes the plan of an organisation');
  plan
    .command('set')
    .argument('<organisation>', 'id')
    .addArgument(new Argument('<plan>').choices(planIds))
    .action(async (organisationId: string, planId: PlanId) => {
      const changed = await context.run({ type: 'setPlan', organisationId, planId });
      context.show(changed);
    });
}

function addUsers(program: Command, context: CommandContext): void {
  const users = program.command('users').description('manages the users of an organisation');
  users
    .command('add')
    .argument('<organisation>', 'id')
    .argument('<email>')
    .action(async (organisationId: string, email: string) => {
      const added = await context.run({ type: 'addUser', organisationId, email });
      context.show(added);
    });
  addList(users, context, 'users', 'organisation');
}

function addWebsites(program: Command, context: CommandContext, detect: ProgramOptions['detect']): void {
  const websites = program.command('websites').description('manages the websites of an organisation');
  websites
    .command('create')
    .argument('<organisation>', 'id')
    .argument('<domain>')
    .option('--name <name>', 'display name (default: the domain)')
    .addOption(
      new Option('--source <source>', 'hosting platform or CDN (default: detected by DNS)').choices(
        platforms,
      ),
    )
    .action(async (organisationId: string, domain: string, given: { name?: string; source?: Platform }) => {
      const sourceType = given.source ?? (await detect(domain)).sourceType;
      const name = given.name === undefined ? {} : { name: given.name };
      const made = await context.run({ type: 'createWebsite', organisationId, domain, sourceType, ...name });
      showMade(context, made, [made.website, made.ingestKey], made.clearText);
    });
  addList(websites, context, 'websites', 'organisation');
  addPrivacy(websites, context);
}

function addApiKeys(program: Command, context: CommandContext): void {
  const keys = program
    .command('api-keys')
    .description('keys of the JSON API, connected clients, sign-in links and sessions of the console');
  keys
    .command('create')
    .argument('<organisation>', 'id')
    .option('--name <name>', 'display name', 'API key')
    .addOption(
      new Option('--scope <scope>', 'permissions of the key').choices(apiKeyScopes).default(apiKeyScopes[0]),
    )
    .option('--user <user>', 'id of the user who owns the key')
    .option('--expires <time>', 'expiry, an ISO 8601 date-time')
    .action(async (organisationId: string, { name, scope, user, expires }) => {
      const made = await context.run({
        type: 'createApiKey',
        organisationId,
        name,
        scope,
        userId: user ?? null,
        expiresAt: expires ?? null,
      });
      showMade(context, made, [made.apiKey], made.clearText);
    });
  addList(keys, context, 'api-keys', 'organisation');
  keys
    .command('revoke')
    .argument('<key>', 'id')
    .action(async (apiKeyId: string) => {
      const revoked = await context.run({ type: 'revokeApiKey', apiKeyId });
      showMade(context, revoked, [revoked.apiKey]);
    });
  keys
    .command('rotate')
    .description('replaces a key with a new one of the same scope; the old key stops working at once')
    .argument('<key>', 'id')
    .action(async (apiKeyId: string) => {
      const made = await context.run({ type: 'rotateApiKey', apiKeyId });
      showMade(context, made, [made.apiKey], made.clearText);
    });
}

function addIngestKeys(program: Command, context: CommandContext): void {
  const keys = program.command('ingest-keys').description('manages the keys that authenticate log uploads');
  keys
    .command('create')
    .argument('<website>', 'id')
    .action(async (websiteId: string) => {
      const made = await context.run({ type: 'createIngestKey', websiteId });
      showMade(context, made, [made.ingestKey], made.clearText);
    });
  addList(keys, context, 'ingest-keys', 'website');
  keys
    .command('revoke')
    .argument('<key>', 'id')
    .action(async (ingestKeyId: string) => {
      const revoked = await context.run({ type: 'revokeIngestKey', ingestKeyId });
      showMade(context, revoked, [revoked.ingestKey]);
    });
  keys
    .command('rotate')
    .description('replaces a key with a new one; the old key stops working at once')
    .argument('<key>', 'id')
    .action(async (ingestKeyId: string) => {
      const made = await context.run({ type: 'rotateIngestKey', ingestKeyId });
      showMade(context, made, [made.ingestKey], made.clearText);
    });
}

function addDemoOrganisation(
  program: Command,
  { answer, print }: CommandContext,
  { base: baseUrl, ingest: ingestUrl }: PublicUrls,
): void {
  program
    .command('demo-organisation')
    .description(
      'creates the demo organisation in an empty installation and prints its credentials.json; the keys are shown only once',
    )
    .action(async () => {
      const credentials = await answer('/demo-organisation', { baseUrl, ingestUrl });
      print(JSON.stringify(credentials, null, 2));
    });
}
