import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { ControlPlane } from '../../shared/control/control-plane.js';
import type { AnswerTo, Command, CommandName } from '../../shared/control/decide/commands.js';
import type { KeyRing } from '../../shared/control/sealing/key-ring.js';
import { DAY_MS, MINUTE_MS } from '../../shared/durations.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { granted } from '../harness/control-plane.js';
import { startSmtpServer, type TestSmtpServer } from '../harness/jobs/smtp-server.js';
import { googlebot, insertStored, storedRequest } from '../harness/stored-requests.js';
import type { Cluster } from './cluster.js';
import { createModel } from './model.js';

/** The environment of the killed jobs service: websites, and the receivers of its messages. */

export interface JobWorld {
  readonly cluster: Cluster;
  readonly log: EventLog;
  readonly control: ControlPlane;
  readonly ring: KeyRing;
  readonly receivers: Receivers;
  /** Where files are stored. */
  readonly files: string;
}

/** One website per kind of job and round. */
export interface JobWebsite {
  readonly id: string;
  readonly domain: string;
  readonly organisationId: string;
  /** A user who can receive messages. */
  readonly userId: string;
}

/** Runs a command of the operator. */
export async function command<Name extends CommandName>(
  { control }: Pick<JobWorld, 'control'>,
  wanted: Command<Name>,
): Promise<AnswerTo<Name>> {
  return granted(await control.execute(wanted, 'admin'));
}

/** Marks placeholder runs that make no job due. */
export const BEFORE = 'before';

/** A plan limits the number of exports and reports of an organisation. */
const WEBSITES_AN_ORGANISATION = 10;

/** Websites with a user, in organisations of their own: jobs of one organisation would wait for each other. No job is due. */
export async function createJobWebsites(
  world: Pick<JobWorld, 'control' | 'cluster'>,
  { name, count, jobs }: { readonly name: string; readonly count: number; readonly jobs: readonly string[] },
): Promise<JobWebsite[]> {
  const websites: JobWebsite[] = [];
  let owner = { organisationId: '', userId: '' };
  for (let at = 0; at < count; at += 1) {
    if (at % WEBSITES_AN_ORGANISATION === 0) owner = await createOwner(world, `${name}-${at}`);
    const { organisationId } = owner;
    const domain = `${name}-${at}.example`;
    const { website } = await command(world, { type: 'createWebsite', organisationId, domain });
    websites.push({ id: website.id, domain, ...owner });
  }
  await world.cluster.clickhouse.command(
    `INSERT INTO job_runs (website_id, job, started_at, finished_at, outcome, failures, problem)
SELECT arrayJoin({ids: Array(String)}), arrayJoin({jobs: Array(String)}), now64(3), now64(3), 'done', 0, '${BEFORE}'`,
    { ids: websites.map(({ id }) => id), jobs },
  );
  return websites;
}

async function createOwner(world: Pick<JobWorld, 'control'>, name: string) {
  const asked = { type: 'createOrganisation', name, planId: 'unlimited' } as const;
  const { id: organisationId } = await command(world, asked);
  const email = `${name}@people.example`;
  const { id: userId } = await command(world, { type: 'addUser', organisationId, email });
  return { organisationId, userId };
}

const WEBSITES_AN_INSERT = 20;

/** Stores the same number of search crawler fetches for each website, a minute apart. @param newest milliseconds since the epoch */
export async function storeCrawls(
  { cluster }: Pick<JobWorld, 'cluster'>,
  websites: readonly JobWebsite[],
  count: number,
  newest = Date.now() - DAY_MS,
): Promise<void> {
  for (let at = 0; at < websites.length; at += WEBSITES_AN_INSERT) {
    const rows = websites
      .slice(at, at + WEBSITES_AN_INSERT)
      .flatMap(({ id }) => Array.from({ length: count }, (_, each) => crawlOf(id, { newest, at: each })));
    await insertStored(cluster.clickhouse, rows, { deduplicationToken: randomUUID() });
  }
}

const crawlOf = (websiteId: string, { newest, at }: { newest: number; at: number }) =>
  storedRequest({
    ...googlebot,
    website_id: websiteId,
    timestamp: newest - at * MINUTE_MS,
    path: `/page-${at % 50}`,
  });

export type Receivers = Awaited<ReturnType<typeof startReceivers>>;

/** Delay of each answer of the server; a caller must still be waiting then. */
const ANSWER_MS = 100;
/** Longer for robots.txt, because its job makes only this request. */
const ROBOTS_MS = 600;
/** At each of two steps. */
const MAIL_MS = 50;

/** A server for all websites, a mail server, a receiver of webhooks below `/hook`, and a language model below `/v1`. */
export async function startReceivers() {
  const webhooks: string[] = [];
  const asked = new Set<string>();
  const onRecipient: (() => void)[] = [];
  const model = createModel();
  const server = createServer(async (request, response) => {
    if (request.url === '/v1/chat/completions') return model.answer(request, response);
    request.resume();
    asked.add(request.headers.host ?? '');
    await sleep(request.url === '/robots.txt' ? ROBOTS_MS : ANSWER_MS);
    const id = request.headers['loglane-webhook-id'];
    if (typeof id === 'string') webhooks.push(id);
    const text = fileOf(request.headers.host ?? '', request.url ?? '');
    response.writeHead(typeof id === 'string' || text !== null ? 200 : 500).end(text ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const smtp: TestSmtpServer = await startSmtpServer({
    onRecipient() {
      for (const listener of onRecipient.splice(0)) listener();
      return sleep(MAIL_MS);
    },
    onMessage: () => sleep(MAIL_MS),
  });
  const mailIds = () =>
    smtp.taken.map(({ headers }) => /^<([^@]+)@/.exec(headers.get('message-id')?.[0] ?? '')?.[1] ?? '');
  const { port } = server.address() as AddressInfo;
  return {
    websitesPort: port,
    modelUrl: `http://127.0.0.1:${port}/v1`,
    model,
    smtpUrl: smtp.url,
    /** Resolves when the mail server got a recipient, before it answers. @param act runs at that time */
    nextRecipient: (act: () => void) =>
      new Promise<void>((resolve) => {
        onRecipient.push(act, resolve);
      }),
    wasAsked: (domain: string) => asked.has(domain),
    /** The channel of a message. */
    channelOf: (id: string) => (webhooks.includes(id) ? 'webhook' : 'mail'),
    /** Number of copies of each message, by id. */
    copies(): Map<string, number> {
      const counts = new Map<string, number>();
      for (const id of [...mailIds(), ...webhooks]) counts.set(id, (counts.get(id) ?? 0) + 1);
      return counts;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await smtp.close();
    },
  };
}

/** Sitemaps of a website, and the number of pages in each. */
const SITEMAPS = 4;
const PAGES = 250;
export const LISTED_PAGES = SITEMAPS * PAGES;

/** Pages of a crawled website, each with two links. */
const CRAWLED_PAGES = 80;

function crawledPageOf(path: string): string | null {
  const page = path === '/' ? 0 : Number(/^\/page-(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (!(page < CRAWLED_PAGES)) return null;
  const links = [2 * page + 1, 2 * page + 2].map((to) => `<a href="/page-${to}">page ${to}</a>`);
  return `<title>Page ${page % 30}</title><h1>Page ${page}</h1>${links.join(' and ')}`;
}

/** The home page fails on websites without a crawl, so that a check fails. */
function fileOf(domain: string, path: string): string | null {
  if (domain.startsWith('crawl-')) return path === '/robots.txt' ? 'User-agent: *\n' : crawledPageOf(path);
  const base = `https://${domain}`;
  if (path === '/robots.txt') return `User-agent: *\nDisallow: /private\nSitemap: ${base}/sitemap.xml\n`;
  const at = (each: number) => `${base}/sitemap-${each}.xml`;
  if (path === '/sitemap.xml')
    return `<sitemapindex>${Array.from({ length: SITEMAPS }, (_, each) => `<sitemap><loc>${at(each)}</loc></sitemap>`).join('')}</sitemapindex>`;
  const own = /^\/sitemap-(\d)\.xml$/.exec(path)?.[1];
  if (own === undefined) return null;
  const urls = Array.from({ length: PAGES }, (_, each) => `<url><loc>${base}/${own}/${each}</loc></url>`);
  return `<urlset>${urls.join('')}</urlset>`;
}

const deliveryRow = z.object({ delivery_id: z.string(), channel: z.string(), status: z.string() });
export type DeliveryRow = z.output<typeof deliveryRow>;

/** Messages about a website, with their states. */
export function deliveriesOf({ cluster }: JobWorld, { id }: JobWebsite): Promise<DeliveryRow[]> {
  return cluster.clickhouse.read({
    name: 'test.deliveries',
    sql: `SELECT delivery_id, channel, status FROM notification_deliveries FINAL
WHERE website_id = {website_id: String} ORDER BY channel, delivery_id`,
    params: { website_id: id },
    row: deliveryRow,
  });
}
