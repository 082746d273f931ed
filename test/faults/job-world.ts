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

/** What the jobs service works on where its processes are killed: websites, and whoever its messages go to. */

export interface JobWorld {
  readonly cluster: Cluster;
  readonly log: EventLog;
  readonly control: ControlPlane;
  readonly ring: KeyRing;
  readonly receivers: Receivers;
  /** Where files are stored. */
  readonly files: string;
}

/** One website a kind of job and round. */
export interface JobWebsite {
  readonly id: string;
  readonly domain: string;
  readonly organisationId: string;
  /** Who can be written to. */
  readonly userId: string;
}

/** Carries out a command of the operator. */
export async function command<Name extends CommandName>(
  { control }: Pick<JobWorld, 'control'>,
  wanted: Command<Name>,
): Promise<AnswerTo<Name>> {
  return granted(await control.execute(wanted, 'admin'));
}

/** What marks runs that were none: so that nothing is due. */
export const BEFORE = 'before';

/** A plan bounds how many exports and reports an organisation has made. */
const WEBSITES_AN_ORGANISATION = 10;

/** Websites with a user, of organisations that have no others: organisations take turns, and none is to wait for another here. None of their jobs is due. */
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

/** Of each website as many fetches of a search crawler, a minute apart. @param newest milliseconds since the epoch */
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

/** A server waits as long before it answers: whoever asks has to be there still. */
const ANSWER_MS = 100;
/** Its job asks for it alone. */
const ROBOTS_MS = 600;
/** At each of two steps. */
const MAIL_MS = 50;

/** Every website, a mail server, a receiver of webhooks below `/hook`, and a language model below `/v1`. */
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
    /** Resolves when the mail server was asked for a recipient, and before it answers. @param act in that moment */
    nextRecipient: (act: () => void) =>
      new Promise<void>((resolve) => {
        onRecipient.push(act, resolve);
      }),
    wasAsked: (domain: string) => asked.has(domain),
    /** By what a message came. */
    channelOf: (id: string) => (webhooks.includes(id) ? 'webhook' : 'mail'),
    /** How often each message came, by its id. */
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

/** Sitemaps of a website, and how many pages each lists. */
const SITEMAPS = 4;
const PAGES = 250;
export const LISTED_PAGES = SITEMAPS * PAGES;

/** Pages of a website that is crawled, each with two links. */
const CRAWLED_PAGES = 80;

function crawledPageOf(path: string): string | null {
  const page = path === '/' ? 0 : Number(/^\/page-(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (!(page < CRAWLED_PAGES)) return null;
  const links = [2 * page + 1, 2 * page + 2].map((to) => `<a href="/page-${to}">page ${to}</a>`);
  return `<title>Page ${page % 30}</title><h1>Page ${page}</h1>${links.join(' and ')}`;
}

/** The home page fails where nothing is crawled, so that a check does. */
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

/** Messages about a website, as they stand. */
export function deliveriesOf({ cluster }: JobWorld, { id }: JobWebsite): Promise<DeliveryRow[]> {
  return cluster.clickhouse.read({
    name: 'test.deliveries',
    sql: `SELECT delivery_id, channel, status FROM notification_deliveries FINAL
WHERE website_id = {website_id: String} ORDER BY channel, delivery_id`,
    params: { website_id: id },
    row: deliveryRow,
  });
}
