import { Argument, Command, Option } from 'commander';
import type { ListName } from '../../shared/control/admin/admin-app.js';
import type { AnswerTo, CommandName, Command as ControlCommand } from '../../shared/control/commands.js';
import { apiKeyScopes, type Platform, platforms } from '../../shared/control/model.js';
import { type PlanId, planIds } from '../../shared/control/plans.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import type { OpenedFiles } from '../../shared/files/open-file-store.js';
import type { PublicUrls } from '../../shared/service/public-urls.js';
import type { DetectedPlatform } from '../../shared/websites/detect-platform.js';
import { addAlerts } from './alerts.js';
import { addBackup } from './backup.js';
import { addChecks } from './checks.js';
import { addConnect } from './connect.js';
import { addCrawls } from './crawls.js';
import { addDeadRecords } from './dead-records.js';
import { addErase } from './erase.js';
import { addExports } from './exports.js';
import { addFetch } from './fetch.js';
import { addForget } from './forget.js';
import { addInsights } from './insights.js';
import type { Instance } from './instance.js';
import { addLogPositions, type OpenKafkaLog } from './log-positions.js';
import { addPrivacy } from './privacy.js';
import { addReclassify } from './reclassify.js';
import { type Row, renderJson, renderTable } from './render.js';
import { addSiteFiles } from './site-files.js';

/** The operator's command line. What it may do and say is checked where every command is: in the instance. */

export interface ProgramOptions {
  readonly instance: Instance;
  readonly print: (text: string) => void;
  readonly detect: (domain: string) => Promise<DetectedPlatform>;
  /** Addresses that the demo organisation's credentials name. */
  readonly urls: PublicUrls;
  /** Where the log is on Kafka. Default: it is embedded. */
  readonly openKafkaLog?: OpenKafkaLog;
  /** The log itself, for `restore`; closed after use. */
  readonly openLog?: () => Promise<EventLog>;
  /** Where uploads go. Default: nowhere. */
  readonly openFiles?: () => Promise<OpenedFiles | null>;
}

const KEEP_IT = 'This is the only time the key is shown.';

export function createProgram(options: ProgramOptions): Command {
  const program = new Command('admin')
    .description(
      'Looks after the organisations of the Loglane instance that runs on DATA_DIR, or on KAFKA_BROKERS.',
    )
    .option('--json', 'print JSON instead of tables')
    .showHelpAfterError();
  const session = createSession(program, options);
  addOrganisations(program, session);
  addUsers(program, session);
  addWebsites(program, session, options);
  addApiKeys(program, session);
  addIngestKeys(program, session);
  addDemoOrganisation(program, options);
  addExports(program, session, options.print);
  addCrawls(program, session, { openFiles: async () => null, ...options });
  addAlerts(program, options);
  addDeadRecords(program, options);
  addLogPositions(program, { openKafkaLog: null, ...options });
  addErase(program, options);
  addForget(program, options);
  addReclassify(program, options);
  addBackup(program, options);
  addFetch(program, options);
  addChecks(program, options);
  addInsights(program, options);
  addSiteFiles(program, options);
  addConnect(program, options);
  return program;
}

interface Session {
  list(name: ListName, filter?: string): Promise<void>;
  run<Name extends CommandName>(command: ControlCommand<Name>): Promise<AnswerTo<Name>>;
  /** The object as JSON; its rows as tables, and the key below where one was made. */
  show(answer: object, rows: readonly object[], clearText?: string): void;
}

function createSession(program: Command, { instance, print }: ProgramOptions): Session {
  const asJson = () => program.opts().json === true;
  return {
    async list(name, filter) {
      const query = filter === undefined ? '' : `?filter=${encodeURIComponent(filter)}`;
      const { rows } = (await instance.get(`/${name}${query}`)) as { rows: Row[] };
      print(asJson() ? renderJson(rows) : renderTable(rows));
    },
    async run<Name extends CommandName>(command: ControlCommand<Name>) {
      return ((await instance.post('/commands', command)) as { answer: AnswerTo<Name> }).answer;
    },
    show(answer, rows, clearText) {
      if (asJson()) return print(renderJson(answer));
      for (const row of rows) print(renderTable([row as Row]));
      if (clearText !== undefined) print(`\n${clearText}\n${KEEP_IT}`);
    },
  };
}

function addOrganisations(program: Command, session: Session): void {
  const organisations = program.command('organisations').description('customers');
  organisations
    .command('create')
    .argument('<name>')
    .addOption(new Option('--plan <plan>', 'what it pays for').choices(planIds).default('free'))
    .action(async (name: string, { plan: planId }: { plan: PlanId }) => {
      const made = await session.run({ type: 'createOrganisation', name, planId });
      session.show(made, [made]);
    });
  organisations.command('list').action(() => session.list('organisations'));

  const plan = program.command('plan').description('what an organisation pays for');
  plan
    .command('set')
    .argument('<organisation>', 'id')
    .addArgument(new Argument('<plan>').choices(planIds))
    .action(async (organisationId: string, planId: PlanId) => {
      const changed = await session.run({ type: 'setPlan', organisationId, planId });
      session.show(changed, [changed]);
    });
}

function addUsers(program: Command, session: Session): void {
  const users = program.command('users').description('people of an organisation');
  users
    .command('add')
    .argument('<organisation>', 'id')
    .argument('<email>')
    .action(async (organisationId: string, email: string) => {
      const added = await session.run({ type: 'addUser', organisationId, email });
      session.show(added, [added]);
    });
  users
    .command('list')
    .argument('[organisation]', 'id')
    .action((organisation?: string) => session.list('users', organisation));
}

function addWebsites(program: Command, session: Session, options: ProgramOptions): void {
  const { detect } = options;
  const websites = program.command('websites').description('what logs are sent for');
  websites
    .command('create')
    .argument('<organisation>', 'id')
    .argument('<domain>')
    .option('--name <name>', 'for display; default the domain')
    .addOption(new Option('--source <source>', 'where it is served; default found by DNS').choices(platforms))
    .action(async (organisationId: string, domain: string, given: { name?: string; source?: Platform }) => {
      const sourceType = given.source ?? (await detect(domain)).sourceType;
      const name = given.name === undefined ? {} : { name: given.name };
      const made = await session.run({ type: 'createWebsite', organisationId, domain, sourceType, ...name });
      session.show(made, [made.website, made.ingestKey], made.clearText);
    });
  websites
    .command('list')
    .argument('[organisation]', 'id')
    .action((organisation?: string) => session.list('websites', organisation));
  addPrivacy(program, websites, options);
}

function addApiKeys(program: Command, session: Session): void {
  const keys = program.command('api-keys').description('keys of the JSON API');
  keys
    .command('create')
    .argument('<organisation>', 'id')
    .option('--name <name>', 'for display', 'API key')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(apiKeyScopes).default(apiKeyScopes[0]))
    .option('--user <user>', 'id of the user it belongs to')
    .option('--expires <time>', 'ISO 8601 date-time')
    .action(async (organisationId: string, { name, scope, user, expires }) => {
      const made = await session.run({
        type: 'createApiKey',
        organisationId,
        name,
        scope,
        userId: user ?? null,
        expiresAt: expires ?? null,
      });
      session.show(made, [made.apiKey], made.clearText);
    });
  keys
    .command('list')
    .argument('[organisation]', 'id')
    .action((organisation?: string) => session.list('api-keys', organisation));
  keys
    .command('revoke')
    .argument('<key>', 'id')
    .action(async (apiKeyId: string) => {
      const revoked = await session.run({ type: 'revokeApiKey', apiKeyId });
      session.show(revoked, [revoked.apiKey]);
    });
  keys
    .command('rotate')
    .description('a new key of the same kind in place of this one, which stops working at once')
    .argument('<key>', 'id')
    .action(async (apiKeyId: string) => {
      const made = await session.run({ type: 'rotateApiKey', apiKeyId });
      session.show(made, [made.apiKey], made.clearText);
    });
}

function addIngestKeys(program: Command, session: Session): void {
  const keys = program.command('ingest-keys').description('keys that logs are sent with');
  keys
    .command('create')
    .argument('<website>', 'id')
    .action(async (websiteId: string) => {
      const made = await session.run({ type: 'createIngestKey', websiteId });
      session.show(made, [made.ingestKey], made.clearText);
    });
  keys
    .command('list')
    .argument('[website]', 'id')
    .action((website?: string) => session.list('ingest-keys', website));
  keys
    .command('revoke')
    .argument('<key>', 'id')
    .action(async (ingestKeyId: string) => {
      const revoked = await session.run({ type: 'revokeIngestKey', ingestKeyId });
      session.show(revoked, [revoked.ingestKey]);
    });
  keys
    .command('rotate')
    .description('a new key in place of this one, which stops working at once')
    .argument('<key>', 'id')
    .action(async (ingestKeyId: string) => {
      const made = await session.run({ type: 'rotateIngestKey', ingestKeyId });
      session.show(made, [made.ingestKey], made.clearText);
    });
}

function addDemoOrganisation(program: Command, { instance, print, urls }: ProgramOptions): void {
  program
    .command('demo-organisation')
    .description(
      'makes the demo organisation of an empty installation and prints its credentials.json, this once',
    )
    .action(async () => {
      const { answer } = (await instance.post('/demo-organisation', {
        baseUrl: urls.base,
        ingestUrl: urls.ingest,
      })) as { answer: object };
      print(JSON.stringify(answer, null, 2));
    });
}
