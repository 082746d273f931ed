import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ControlPlane } from '../../shared/control/control-plane.js';
import { findApiKey, findIngestKey } from '../../shared/control/domain/keys.js';
import { openKeyRing } from '../../shared/control/sealing/key-ring.js';
import { PublicError } from '../../shared/errors.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { createWalkTally } from '../../shared/sitemaps/walk-tally.js';
import { openTestPlane } from '../../test/harness/control-plane.js';
import { createMemoryEventLog, type MemoryEventLog } from '../../test/harness/memory-event-log.js';
import { createDeadLetterQueue, type DeadLetterQueue } from './dead-letters/dead-letter-queue.js';
import { connectInstance } from './instance/instance.js';
import { createProgram } from './program.js';
import { type AdminServer, startAdminServer } from './server/admin-server.js';
import type { ListedDelivery } from './server/delivery-desk.js';
import type { WebsiteReport } from './server/reclassify.js';
import type { GivenRobots, GivenSitemaps } from './server/site-files.js';

let dataDir: string;
let control: ControlPlane;
let log: EventLog;
let deadRecords: DeadLetterQueue;
let jobsLog: MemoryEventLog;
let server: AdminServer;
let reclassified: object[];
let reports: WebsiteReport[];
let isPrivacyFollowed: boolean;
let retried: object[];
let storedFiles: (GivenRobots | GivenSitemaps)[];
const logger = pino({ level: 'silent' });

const delivery: ListedDelivery = {
  id: 'd1',
  websiteId: 'web_1',
  channel: 'webhook',
  target: 'hook.example#1f3a',
  alertId: '2026-11-22T07:05:00.000Z#3fa9c1',
  status: 'dead',
  attempts: 11,
  reason: 'it answered 500',
  queuedAt: '2026-11-22T07:05:01.000Z',
  nextAttemptAt: null,
};

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-admin-'));
  ({ control, log } = await openTestPlane());
  deadRecords = createDeadLetterQueue({ log, logger });
  jobsLog = createMemoryEventLog(1);
  reclassified = [];
  reports = [{ websiteId: 'web_1', days: 2, rows: 7, changed: 3, error: null }];
  storedFiles = [];
  isPrivacyFollowed = true;
  retried = [];
  server = await startAdminServer({
    control,
    log: jobsLog,
    deadRecords,
    dataDir,
    logger,
    reclassify: async (wanted) => {
      reclassified.push(wanted);
      return reports;
    },
    async setPrivacy(wanted) {
      const outcome = await control.execute({ type: 'setWebsitePrivacy', ...wanted }, 'admin');
      if ('refusal' in outcome) throw new PublicError(outcome.refusal.code, outcome.refusal.detail);
      const { privacy } = outcome.answer;
      const remains = [{ place: 'requests.raw', days: 7, what: 'the uploads' }];
      return {
        websiteId: wanted.websiteId,
        privacy,
        rows: 12,
        cleared: 5,
        complete: isPrivacyFollowed,
        remains,
      };
    },
    ring: await openKeyRing({ log: createMemoryEventLog(1), randomBytes, onCrash: () => {} }),
    deliveries: {
      list: async ({ status, websiteId = 'web_1' }) => [{ ...delivery, status, websiteId }],
      async retry(wanted) {
        retried.push(wanted);
        return [{ ...delivery, status: 'pending' }];
      },
    },
    siteFiles: {
      async storeRobots(given) {
        storedFiles.push(given);
        return { websiteId: given.websiteId, fetchedAt: '2026-11-10T00:00:00.000Z', hash: 'abc' };
      },
      async storeSitemaps(given) {
        storedFiles.push(given);
        const fetched = { websiteId: given.websiteId, fetchedAt: '2026-11-10T00:00:00.000Z' };
        return { ...fetched, ...createWalkTally(true).outcome() };
      },
    },
  });
});
afterEach(async () => {
  await server.close();
  await rm(dataDir, { recursive: true });
});

/** @returns the output of one call of the command line. */
async function admin(...words: string[]): Promise<string> {
  const printed: string[] = [];
  await adminInto(printed, words);
  return printed.join('\n');
}

async function adminInto(printed: string[], words: readonly string[]): Promise<void> {
  const program = createProgram({
    instance: connectInstance(dataDir),
    print: (text) => printed.push(text),
    urls: { base: 'http://api.example', ingest: 'http://ingest.example/v1/logs' },
    detect: async () => ({ cdn: 'fastly', displayName: 'Fastly', compatible: true, sourceType: 'fastly' }),
  });
  for (const command of withCommands(program)) command.exitOverride().configureOutput({ writeErr: () => {} });
  await program.parseAsync(words, { from: 'user' });
}

const withCommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withCommands)];

const adminJson = async (...words: string[]) => JSON.parse(await admin(...words, '--json'));

describe('the command line', () => {
  test('requests a fetch of the sitemaps of a website', async () => {
    const { id } = await adminJson('organisations', 'create', 'Shop');
    const { website } = await adminJson('websites', 'create', id, 'shop.example');
    const asked = await adminJson('fetch', 'sitemaps', '--website', website.id);
    expect(asked).toMatchObject({ kind: 'sitemaps', website_id: website.id });
    expect(jobsLog.records('jobs').map(({ key }) => key)).toEqual([website.id]);
    await expect(admin('fetch', 'sitemaps', '--website', 'web_none')).rejects.toThrow('web_none');
    await expect(admin('fetch', 'images', '--website', website.id)).rejects.toThrow();
  });

  test('sets, lists and removes a daily export schedule', async () => {
    const { id } = await adminJson('organisations', 'create', 'Shop');
    const { website } = await adminJson('websites', 'create', id, 'shop.example');
    expect(await admin('export', 'schedule', '--website', website.id)).toContain('as parquet');
    expect(await adminJson('export', 'schedule', 'list')).toMatchObject([{ website_id: website.id }]);
    expect(await admin('export', 'schedule', 'remove', website.id)).toContain('no further day');
    expect(await adminJson('export', 'schedule', 'list')).toEqual([]);
    await expect(admin('export', 'schedule')).rejects.toThrow('--website');
  });

  test('requests a check of a website', async () => {
    const { id } = await adminJson('organisations', 'create', 'Shop');
    const { website } = await adminJson('websites', 'create', id, 'shop.example');
    expect(await adminJson('checks', 'run', '--website', website.id)).toMatchObject({
      kind: 'checks',
      website_id: website.id,
    });
    expect(jobsLog.records('jobs').at(-1)!.key).toBe(website.id);
    await expect(admin('checks', 'run', '--website', 'web_none')).rejects.toThrow('web_none');
  });

  test('stores the robots.txt of a website', async () => {
    const file = join(dataDir, 'of-the-shop.txt');
    await writeFile(file, 'User-agent: *\n');
    const words = ['robots', 'store', '--website', 'web_1', '--file', file];
    expect(await adminJson(...words)).toMatchObject({ website_id: 'web_1', hash: 'abc' });
    await admin(...words, '--fetched-at', '2026-11-10T00:00:00Z');
    const stored = { websiteId: 'web_1', content: Buffer.from('User-agent: *\n').toString('base64') };
    expect(storedFiles).toEqual([
      { ...stored, fetchedAt: null },
      { ...stored, fetchedAt: '2026-11-10T00:00:00Z' },
    ]);
    await expect(admin(...words, '--fetched-at', 'yesterday')).rejects.toThrow(/^fetchedAt: /);
    await expect(admin(...words.slice(0, -1), join(dataDir, 'none.txt'))).rejects.toThrow(
      /^the file can't be read: /,
    );
    expect(storedFiles).toHaveLength(2);
  });

  test('stores all sitemaps of a website at once, with their names', async () => {
    const names = ['sitemap.xml', 'products.xml.gz'];
    const paths = names.map((name) => join(dataDir, name));
    for (const path of paths) await writeFile(path, 'x');
    const words = ['sitemaps', 'store', '--website', 'web_1', '--file', ...paths];
    expect(await adminJson(...words)).toMatchObject({ complete: false, reason: 'no_sitemap', urls: 0 });
    const files = names.map((name) => ({ name, content: 'eA==' }));
    expect(storedFiles).toEqual([{ websiteId: 'web_1', fetchedAt: null, files }]);
  });

  test('reclassifies stored requests of whole days', async () => {
    const days = ['reclassify', '--from', '2026-11-10', '--to', '2026-11-11'];
    expect(await adminJson(...days)).toEqual([
      { website_id: 'web_1', days: 2, rows: 7, changed: 3, error: null },
    ]);
    expect(await admin(...days, '--website', 'web_1')).toContain('web_1');
    const stretch = { from: '2026-11-10', to: '2026-11-11' };
    expect(reclassified).toEqual([
      { ...stretch, websiteId: null },
      { ...stretch, websiteId: 'web_1' },
    ]);
    await expect(admin('reclassify', '--from', '2026-11-10', '--to', '2026-11-09')).rejects.toThrow(
      'before from',
    );
    await expect(admin('reclassify', '--from', '2026-11-10', '--to', 'today')).rejects.toThrow(/^to: /);
    expect(reclassified).toHaveLength(2);
  });

  test('prints the figures first, then an error that names the websites that were not reclassified', async () => {
    const failed = { days: null, rows: null, changed: null, error: 'out of time' };
    reports.push({ websiteId: 'web_2', ...failed });
    const printed: string[] = [];
    const call = adminInto(printed, ['reclassify', '--from', '2026-11-10', '--to', '2026-11-11']);
    await expect(call).rejects.toThrow('repeat it with --website: web_2');
    expect(printed.join('\n')).toMatch(/web_1 .* 7 .*web_2 .* out of time/s);
  });

  test('creates a customer with working keys, rotates the keys and revokes them', async () => {
    const { id, plan_id } = await adminJson('organisations', 'create', 'Shop', '--plan', 'starter');
    expect(plan_id).toBe('starter');
    expect(await adminJson('plan', 'set', id, 'growth')).toMatchObject({ plan_id: 'growth' });
    const user = await adminJson('users', 'add', id, 'a@shop.example');
    const site = await adminJson('websites', 'create', id, 'https://shop.example/', '--name', 'The shop');
    expect(site.website).toMatchObject({ domain: 'shop.example', name: 'The shop', source_type: 'fastly' });
    const key = await adminJson('api-keys', 'create', id, '--scope', 'read_write', '--user', user.id);
    expect(findApiKey(control.state(), key.clear_text, 0)).toMatchObject({
      scope: 'read_write',
      userId: user.id,
    });

    const rotated = await adminJson('ingest-keys', 'rotate', site.ingest_key.id);
    expect(findIngestKey(control.state(), site.clear_text)).toBeNull();
    expect(findIngestKey(control.state(), rotated.clear_text)).not.toBeNull();
    const second = await adminJson('ingest-keys', 'create', site.website.id);
    await admin('ingest-keys', 'revoke', second.ingest_key.id);
    expect(findIngestKey(control.state(), second.clear_text)).toBeNull();
    const fresh = await adminJson('api-keys', 'rotate', key.api_key.id);
    expect(findApiKey(control.state(), key.clear_text, 0)).toBeNull();
    expect(findApiKey(control.state(), fresh.clear_text, 0)).toMatchObject({ scope: 'read_write' });
    await admin('api-keys', 'revoke', fresh.api_key.id);
    expect(findApiKey(control.state(), fresh.clear_text, 0)).toBeNull();

    expect(await adminJson('organisations', 'list')).toHaveLength(1);
    expect(await adminJson('users', 'list', id)).toEqual([user]);
    expect(await adminJson('websites', 'list', id)).toEqual([site.website]);
    expect(await adminJson('api-keys', 'list')).toHaveLength(2);
    expect(await adminJson('ingest-keys', 'list', site.website.id)).toHaveLength(3);
  });

  test('shows a key once, when it is created', async () => {
    const { id } = await adminJson('organisations', 'create', 'Shop');
    const made = await admin('api-keys', 'create', id, '--name', 'Reports');
    expect(made).toMatch(/llapi_[\w-]{43}\nThis is the only time/);
    const listed = await admin('api-keys', 'list');
    expect(listed).toContain('Reports');
    expect(listed).not.toMatch(/llapi_/);
  });

  test('prints aligned columns under the public names, and "(none)" without rows', async () => {
    expect(await admin('users', 'list')).toBe('(none)');
    await admin('organisations', 'create', 'Shop');
    const [heading, row] = (await admin('organisations', 'list')).split('\n');
    expect(heading).toMatch(/^id +name +plan_id +trial +customer_id +subscription +created_at$/);
    expect(row!.indexOf('Shop')).toBe(heading!.indexOf('name'));
  });

  test('a refusal is one line that names the field', async () => {
    await expect(admin('users', 'add', 'org_none', 'a@shop.example')).rejects.toThrow(/^organisation_id: /);
    await expect(admin('plan', 'set', 'org_none', 'gold')).rejects.toThrow(/gold.*starter/);
  });

  test('shows the alert settings and changes the named ones', async () => {
    await admin('demo-organisation');
    const [{ id: website }] = JSON.parse(await admin('--json', 'websites', 'list'));
    const config = (...words: string[]) => admin('alerts', 'config', '--website', website, ...words);
    const lines = (await config()).split('\n');
    expect(lines[0]).toMatch(/^setting +value +default$/);
    expect(lines).toContainEqual(expect.stringMatching(/^min_email_severity +2 +2$/));

    const changed = await config(
      '--set',
      'min_email_severity=critical',
      'suppressed_bots=AhrefsBot, MJ12bot',
      'webhook_urls=["https://hook.example/a,b"]',
    );
    expect(changed).toMatch(/^min_email_severity +3 +2$/m);
    const held = JSON.parse(await admin('--json', 'alerts', 'config', '--website', website));
    expect(held).toMatchObject({
      min_email_severity: 3,
      suppressed_bots: ['AhrefsBot', 'MJ12bot'],
      webhook_urls: ['https://hook.example/a,b'],
      alerts_enabled: true,
    });
    await config('--set', 'suppressed_bots=');
    expect(JSON.parse(await admin('--json', 'alerts', 'config', '--website', website))).toEqual({
      ...held,
      suppressed_bots: [],
    });
  });

  test.each([
    ['min_email_severity=9', /^min_email_severity: /],
    ['min_email_severity=two', /^min_email_severity: expected info, warning, critical, or 1 to 3/],
    ['alerts_enabled=yes', /^alerts_enabled: expected true or false/],
    ['traffic_frequency_minutes=7', /^traffic_frequency_minutes: /],
    ['webhook_urls=hook.example', /^webhook_urls\.0: /],
    [
      'webhook_urls=https://hook.example/,https://hook.example:8443/in',
      /^webhook_urls\.1: hook\.example is not a URL that can be fetched: http or https, port 80 or 443, without a user name$/,
    ],
    ['webhook_urls=https://jo:s3cret@hook.example/', /^webhook_urls\.0: hook\.example is not a URL that/],
    ['webhook_urls=http://localhost/x', /^webhook_urls\.0: localhost has no public address/],
    ['webhook_urls=http://hooks.internal./x', /^webhook_urls\.0: hooks\.internal\. has no public address/],
    ['webhook_urls=http://intranet/x,http://10.0.0.1/', /^webhook_urls\.0: intranet has no public address/],
    ['webhook_urls=https://[::1]/', /^webhook_urls\.0: \[::1\] has no public address/],
    ['webhook_urls=["https://', /^webhook_urls: expected a list as JSON/],
    ['email_disabled_types=no_such', /^email_disabled_types\.0: /],
    ['constructor=1', /^constructor: there is no such setting; expected one of alerts_enabled, /],
    ['alerts_enabled', /^alerts_enabled: expected alerts_enabled=value/],
  ])('the refusal of an invalid alert setting names it: %s', async (assignment, message) => {
    await admin('demo-organisation');
    const [{ id }] = JSON.parse(await admin('--json', 'websites', 'list'));
    await expect(admin('alerts', 'config', '--website', id, '--set', assignment)).rejects.toThrow(message);
  });

  test('neither shows nor sets alert settings of an unknown website', async () => {
    for (const words of [[], ['--set', 'alerts_enabled=false']])
      await expect(admin('alerts', 'config', '--website', 'web_none', ...words)).rejects.toThrow(/web_none/);
  });

  test('creates the webhook secret of a website once, shows it again, and replaces it', async () => {
    const { id } = await adminJson('organisations', 'create', 'Shop');
    const { website } = await adminJson('websites', 'create', id, 'shop.example');
    const secret = async (...words: string[]) =>
      (await adminJson('alerts', 'webhook-secret', '--website', website.id, ...words)).secret;
    const first = await secret();
    expect(first).toMatch(/^llwhs_/);
    expect(await secret()).toBe(first);
    const other = await secret('--new');
    expect(other).not.toBe(first);
    expect(await admin('alerts', 'webhook-secret', '--website', website.id)).toContain(other);
    await expect(admin('alerts', 'webhook-secret', '--website', 'web_none')).rejects.toThrow('web_none');
  });

  test('changes the privacy settings, prints the changed rows and the remaining copies, and fails if rows are missing', async () => {
    await admin('organisations', 'create', 'Shop');
    const [{ id: organisation }] = JSON.parse(await admin('--json', 'organisations', 'list'));
    await admin('websites', 'create', organisation, 'shop.example');
    const [{ id }] = JSON.parse(await admin('--json', 'websites', 'list'));
    const privacy = () => control.state().websites.get(id)?.privacy;
    const shown = await admin('websites', 'set', id, '--address-days', '7', '--bots-only');
    expect(privacy()).toMatchObject({ addressDays: 7, botsOnly: true });
    expect(shown).toContain('12 stored requests keep their address until another day, 5 lost it now');
    expect(shown).toContain('requests.raw keeps the uploads, for 7 days at most');
    await admin('websites', 'set', id, '--no-bots-only');
    expect(privacy()).toMatchObject({ addressDays: 7, botsOnly: false });
    await admin('websites', 'set', id, '--address-days', 'none');
    expect(privacy()).toMatchObject({ addressDays: null });
    await expect(admin('websites', 'set', id)).rejects.toThrow(/nothing is to be set/);
    await expect(admin('websites', 'set', id, '--address-days', 'seven')).rejects.toThrow();
    await expect(admin('websites', 'set', id, '--address-days', '0')).rejects.toThrow(/^address_days: /);
    isPrivacyFollowed = false;
    await expect(admin('websites', 'set', id, '--address-days', '3')).rejects.toThrow(/^not finished/);
  });

  test('lists failed messages, and retries one or all of them', async () => {
    expect(await admin('alerts', 'deliveries', 'list')).toMatch(/dead +11 +it answered 500/);
    const listed = await adminJson('alerts', 'deliveries', 'list', '--status', 'sent', '--website', 'web_2');
    expect(listed).toMatchObject([{ id: 'd1', status: 'sent', website_id: 'web_2' }]);
    expect(await adminJson('alerts', 'deliveries', 'retry', 'd1')).toMatchObject([{ status: 'pending' }]);
    await admin('alerts', 'deliveries', 'retry', '--all');
    await admin('alerts', 'deliveries', 'retry', '--all', '--website', 'web_2');
    expect(retried).toEqual([{ id: 'd1' }, { all: true }, { all: true, websiteId: 'web_2' }]);
    for (const wrong of [[], ['d1', '--all'], ['d1', '--website', 'web_2']])
      await expect(admin('alerts', 'deliveries', 'retry', ...wrong)).rejects.toThrow();
    await expect(admin('alerts', 'deliveries', 'list', '--status', 'lost')).rejects.toThrow();
    expect(retried).toHaveLength(3);
  });

  test('creates the demo organisation in an empty installation, and shows its keys once', async () => {
    const credentials = JSON.parse(await admin('demo-organisation'));
    expect(credentials).toMatchObject({
      base_url: 'http://api.example',
      ingest_url: 'http://ingest.example/v1/logs',
    });
    expect(findApiKey(control.state(), credentials.api_key, 0)).not.toBeNull();
    expect(findIngestKey(control.state(), credentials.ingest_key)?.websiteId).toBe(credentials.website_id);
    await expect(admin('demo-organisation')).rejects.toThrow(/^there are organisations already/);
    expect([...control.state().apiKeys.values()]).toHaveLength(1);
  });

  test.each([
    [['--partition', '1']],
    [['--all', '--offset', '1']],
    [[]],
    [['--partition', '-1', '--offset', '0']],
  ])('refuses a replay that does not select dead records: %j', async (words) => {
    await expect(admin('dead', 'replay', ...words)).rejects.toThrow();
  });

  test('fails with a clear message without a running instance', async () => {
    await server.close();
    await expect(admin('organisations', 'list')).rejects.toThrow(/^Loglane is not running on /);
  });
});

describe('the socket', () => {
  test('is accessible only to its owner', async () => {
    expect((await stat(server.path)).mode & 0o777).toBe(0o600);
  });

  test('is not taken over from a running process', async () => {
    await expect(startAdminServer({ control, deadRecords, dataDir, logger })).rejects.toThrow(
      'another process',
    );
  });

  test('is replaced if its process has ended', async () => {
    await server.close();
    await writeFile(join(dataDir, 'admin.sock'), '');
    server = await startAdminServer({ control, deadRecords, dataDir, logger });
    expect(await admin('users', 'list')).toBe('(none)');
  });

  test('refuses a directory whose path is too long for a socket', async () => {
    await expect(
      startAdminServer({ control, deadRecords, dataDir: join(dataDir, 'x'.repeat(120)), logger }),
    ).rejects.toThrow(/too long for a socket/);
  });
});
