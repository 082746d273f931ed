import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { checks } from '../../services/jobs/checks/list.js';
import { type Alert, alertIdOf } from '../../shared/alerts/alert.js';
import { alertRecord } from '../../shared/alerts/alert-codec.js';
import { showWebhookSecret } from '../../shared/control/admin/show-webhook-secret.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/durations.js';
import { CHECKS, DAILY_BUILD, requestJob } from '../../shared/jobs/job-request.js';
import { insertAlerts } from '../../shared/queries/alert-writes.js';
import { insertCheckVerdicts } from '../../shared/queries/check-verdict-writes.js';
import { readImportanceBuild } from '../../shared/queries/page-importance.js';
import {
  BEFORE,
  command,
  deliveriesOf,
  type JobWebsite,
  type JobWorld,
  LISTED_PAGES,
  storeCrawls,
} from './job-world.js';

/** Every kind of job whose process the suite kills: a kind is one entry of `jobKinds`. */

export interface JobKind {
  readonly name: string;
  /** Of its websites, before any worker runs. */
  prepare?(world: JobWorld, websites: readonly JobWebsite[]): Promise<void>;
  begin(world: JobWorld, website: JobWebsite): Promise<void>;
  /** Whether a worker is at it, or was. */
  hasBegun(world: JobWorld, website: JobWebsite): Promise<boolean>;
  /** What stands of it, without ids and instants: the same however often its process was killed. */
  result(world: JobWorld, website: JobWebsite): Promise<unknown>;
  /** What `result` holds when it is done. */
  readonly done: object;
}

const CRAWLS = 500;
const EXPORTED = 2_000;

const rowsOf = <Row>(world: JobWorld, website: JobWebsite, sql: string, row: z.ZodType<Row>) =>
  world.cluster.clickhouse.read({ name: 'test.results', sql, params: { id: website.id }, row });

/** How the website's runs of the job ended. The first of them stands there from the beginning. */
async function runOf(world: JobWorld, website: JobWebsite, job: string): Promise<string> {
  const row = z.object({ outcome: z.string(), failures: z.number(), runs: z.number() });
  const sql = `SELECT argMax(j.outcome, j.finished_at) AS outcome, argMax(j.failures, j.finished_at) AS failures,
  count() AS runs FROM job_runs AS j WHERE website_id = {id: String} AND job = '${job}' AND j.problem != '${BEFORE}'`;
  const [found] = await rowsOf(world, website, sql, row);
  return found === undefined || found.runs === 0 ? 'none' : `${found.outcome}, ${found.failures} failures`;
}

const ask = (kind: string) => async (world: JobWorld, website: JobWebsite) => {
  await requestJob(world.log, { kind, websiteId: website.id });
};

const wasAsked = async ({ receivers }: JobWorld, { domain }: JobWebsite) => receivers.wasAsked(domain);
const isTold = async (world: JobWorld, website: JobWebsite) =>
  (await deliveriesOf(world, website)).length > 0;

/** Each message once, by its channel and how it stands. */
async function messagesOf(world: JobWorld, website: JobWebsite): Promise<string[]> {
  const copies = world.receivers.copies();
  return (await deliveriesOf(world, website)).map(
    ({ delivery_id, channel, status }) =>
      `${channel} ${status}, ${copies.has(delivery_id) ? 'came' : 'never came'}`,
  );
}

const robots: JobKind = {
  name: 'robots',
  begin: ask('robots'),
  hasBegun: wasAsked,
  done: { run: 'done, 0 failures', versions: 1 },
  async result(world, website) {
    const versions = 'SELECT content FROM robots_versions FINAL WHERE website_id = {id: String}';
    const found = await rowsOf(world, website, versions, z.object({ content: z.string() }));
    const fetches =
      'SELECT DISTINCT toString(outcome) AS outcome FROM robots_fetches WHERE website_id = {id: String}';
    return {
      run: await runOf(world, website, 'robots'),
      versions: found.length,
      disallows: found.map(({ content }) => content.includes('/private')),
      fetches: await rowsOf(world, website, fetches, z.object({ outcome: z.string() })),
    };
  },
};

const sitemaps: JobKind = {
  name: 'sitemaps',
  begin: ask('sitemaps'),
  hasBegun: wasAsked,
  done: { run: 'done, 0 failures', listed: { pages: LISTED_PAGES, newest: LISTED_PAGES } },
  async result(world, website) {
    const counts = `SELECT count() AS pages, countIf(last_seen = (SELECT max(fetched_at) FROM sitemap_fetches WHERE website_id = {id: String})) AS newest
FROM sitemap_urls FINAL WHERE website_id = {id: String}`;
    const fetches = `SELECT DISTINCT complete, files, failed_files, urls FROM sitemap_fetches FINAL WHERE website_id = {id: String}`;
    const [listed] = await rowsOf(
      world,
      website,
      counts,
      z.object({ pages: z.number(), newest: z.number() }),
    );
    const run = await runOf(world, website, 'sitemaps');
    return { run, listed, fetches: await rowsOf(world, website, fetches, z.looseObject({})) };
  },
};

const importance: JobKind = {
  name: DAILY_BUILD,
  prepare: (world, websites) => storeCrawls(world, websites, CRAWLS),
  begin: ask(DAILY_BUILD),
  async hasBegun(world, website) {
    const sql = 'SELECT 1 AS one FROM page_importance WHERE website_id = {id: String} LIMIT 1';
    return (await rowsOf(world, website, sql, z.object({ one: z.number() }))).length > 0;
  },
  done: { run: 'done, 0 failures', stored: { pages: 50, paths: 50, crawls: CRAWLS } },
  async result(world, website) {
    const build = await readImportanceBuild(world.cluster.clickhouse, website.id, Date.now());
    const of = `website_id = {id: String} AND build_id = '${build?.buildId ?? ''}'`;
    const sql = `SELECT (SELECT count() FROM page_importance WHERE ${of}) AS pages,
  (SELECT count() FROM crawled_paths WHERE ${of}) AS paths, (SELECT sum(requests) FROM crawled_paths WHERE ${of}) AS crawls`;
    const row = z.object({ pages: z.number(), paths: z.number(), crawls: z.number() });
    const [stored] = await rowsOf(world, website, sql, row);
    const told = build === null ? null : { stale: build.stale, families: build.families };
    return { run: await runOf(world, website, DAILY_BUILD), stored, told };
  },
};

/** The check that fails on a home page that is an error, and passed the night before. */
const FLIPPED = 'home_answers';

const nightlyChecks: JobKind = {
  name: CHECKS,
  async prepare(world, websites) {
    const night = { evaluatedAt: Date.now() - DAY_MS };
    const { title, category, weight } = checks.find(({ id }) => id === FLIPPED)!;
    const passed = {
      checkId: FLIPPED,
      title,
      category,
      weight,
      verdict: 'pass',
      evidence: { note: '' },
    } as const;
    for (const { id: websiteId } of websites) {
      await command(world, { type: 'changeAlertSettings', websiteId, email_notifications_enabled: true });
      await insertCheckVerdicts(world.cluster.clickhouse, { websiteId, ...night }, [passed]);
    }
    await storeCrawls(world, websites, CRAWLS);
  },
  begin: ask(CHECKS),
  hasBegun: wasAsked,
  done: {
    run: 'done, 0 failures',
    alerts: [{ check: FLIPPED, occurrences: 1 }],
    messages: ['email sent, came'],
  },
  async result(world, website) {
    const verdicts = `SELECT concat(check_id, ' ', toString(verdict), ' ', toString(count() OVER (PARTITION BY check_id, day))) AS told
FROM check_verdicts FINAL WHERE website_id = {id: String} ORDER BY check_id, evaluated_at`;
    const alerts = `SELECT JSONExtractString(details, 'check_id') AS check, occurrences FROM alerts FINAL
WHERE website_id = {id: String} ORDER BY alert_id`;
    const told = await rowsOf(world, website, verdicts, z.object({ told: z.string() }));
    const row = z.object({ check: z.string(), occurrences: z.number() });
    return {
      run: await runOf(world, website, CHECKS),
      verdicts: told.map((each) => each.told),
      alerts: await rowsOf(world, website, alerts, row),
      messages: await messagesOf(world, website),
    };
  },
};

const exportsOf = ({ control }: JobWorld, { id }: JobWebsite) => control.state().exports.by('websiteId', id);

const digestOf = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

/** Files below a folder, by their paths from there. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
}

const exported: JobKind = {
  name: 'export',
  prepare: (world, websites) => storeCrawls(world, websites, EXPORTED),
  async begin(world, { id: websiteId, userId }) {
    const question = { start: Date.now() - 10 * DAY_MS, end: Date.now() };
    const asked = { exportType: 'requests', notify: true, filters: '{}', description: 'Requests' };
    const by = { websiteId, userId, apiKeyId: 'key_of_the_test' };
    await command(world, { type: 'requestExport', ...asked, ...by, question: JSON.stringify(question) });
  },
  hasBegun: async (world, website) => exportsOf(world, website).some(({ attempts }) => attempts > 0),
  done: { statuses: ['completed'], messages: ['export sent, came'] },
  async result(world, website) {
    const found = exportsOf(world, website);
    const files = await Promise.all(
      found.map(async ({ file }) => {
        if (file === null) return null;
        const path = join(world.files, file.key);
        const sha256 = await digestOf(path);
        const manifest = JSON.parse(await readFile(join(path, '..', 'manifest.json'), 'utf8')) as typeof file;
        const lines = (await readFile(path, 'utf8')).trimEnd().split('\r\n').length;
        return {
          isWhole: sha256 === file.sha256 && (await stat(path)).size === file.bytes,
          isTold: manifest.sha256 === sha256 && manifest.rows === file.rows && manifest.bytes === file.bytes,
          rows: [file.rows, lines - 1],
        };
      }),
    );
    const statuses = found.map(({ status }) => status);
    return { statuses, files, messages: await messagesOf(world, website) };
  },
};

const alertOf = (websiteId: string, createdAt: number): Alert => {
  const found = { websiteId, type: 'error_spike_5xx', severity: 'critical', subject: '', createdAt } as const;
  const message = '31 % of requests failed, 0.4 % are usual.';
  return { ...found, alertId: alertIdOf(found), message, details: {}, lastSeen: createdAt, occurrences: 1 };
};

const alerted: JobKind = {
  name: 'alert by e-mail and webhook',
  async prepare(world, websites) {
    for (const { id: websiteId } of websites) {
      const urls = { webhook_notifications_enabled: true, webhook_urls: ['https://hook.example/hook'] };
      await command(world, {
        ...{ type: 'changeAlertSettings', websiteId, email_notifications_enabled: true, ...urls },
      });
      await showWebhookSecret({ websiteId, isNew: false }, world);
    }
  },
  async begin(world, { id }) {
    const alert = alertOf(id, Date.now());
    await insertAlerts(world.cluster.clickhouse, [alert]);
    await world.log.append('alerts', [alertRecord(alert)]);
  },
  hasBegun: isTold,
  done: { messages: ['email sent, came', 'webhook sent, came'] },
  result: async (world, website) => ({ messages: await messagesOf(world, website) }),
};

const digest: JobKind = {
  name: 'digest',
  async prepare({ cluster }, websites) {
    const createdAt = Date.now() - 3 * HOUR_MS;
    for (const { id } of websites) await insertAlerts(cluster.clickhouse, [alertOf(id, createdAt)]);
  },
  async begin(world, { id: websiteId }) {
    // It was due a while ago, when what was found until then is stored.
    const digest_send_hour_utc = new Date(Date.now() - 10 * MINUTE_MS).getUTCHours();
    const settings = { digest_enabled: true, digest_send_hour_utc };
    await command(world, { type: 'changeAlertSettings', websiteId, ...settings });
  },
  hasBegun: isTold,
  done: { messages: ['digest sent, came'] },
  result: async (world, website) => ({ messages: await messagesOf(world, website) }),
};

export const jobKinds: readonly JobKind[] = [
  ...[robots, sitemaps, importance, nightlyChecks, exported, alerted, digest],
];

/** Every file that stands in the store, and those that completed exports of the websites have. */
export async function filesOf(world: JobWorld, websites: readonly JobWebsite[]) {
  const wanted: string[] = [];
  for (const website of websites)
    for (const { file } of exportsOf(world, website))
      if (file !== null)
        wanted.push(join(world.files, file.key), join(world.files, file.key, '..', 'manifest.json'));
  const stored = (await filesBelow(world.files)).filter((path) => !path.endsWith('/.secret'));
  return { wanted: wanted.sort(), stored: stored.sort() };
}
