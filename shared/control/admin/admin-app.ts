import { randomUUID } from 'node:crypto';
import { Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { PublicError } from '../../errors.js';
import { type EventLog, LogUnavailableError } from '../../event-log/event-log.js';
import type { Logger } from '../../log.js';
import type { DeadLetterQueue } from '../../requests/dead-letter-queue.js';
import { alertSettingsOf } from '../aggregates/alert-settings.js';
import { backupTopics, readBackupPage } from '../backup/control-backup.js';
import type { Command } from '../commands.js';
import type { ErasureDesk } from '../erasure/erasure-desk.js';
import { erasureSubject } from '../erasure/subject.js';
import { commandKinds } from '../kinds.js';
import type { Export, StoredApiKey, StoredIngestKey } from '../model.js';
import type { ControlState } from '../state.js';
import { addConnectionRoutes, type ConnectionRoutesOptions } from './admin-app-connections.js';
import { createDemoOrganisation } from './admin-app-demo.js';
import { addJobRoutes } from './admin-app-jobs.js';
import { addNotificationRoutes, type NotificationRoutesOptions } from './admin-app-notifications.js';
import { addRowRoutes, type RowRoutesOptions } from './admin-app-rows.js';
import { readBody, readJson, readQuery } from './read-input.js';
import { addRecordedAnalytics } from './recorded-analytics.js';
import { addRecordedSearch, type RecordedSearchOptions } from './recorded-search.js';
import { refuseUnknownWebsite } from './refuse-unknown-website.js';
import { type SetPrivacy, wantedPrivacy } from './set-privacy.js';
import { givenRobots, givenSitemaps, type SiteFiles } from './site-files.js';

/**
 * What the operator's command line asks of a running instance: lists, and commands, as they are in
 * kinds.ts. There is no key: whoever may open the socket owns the data (admin-server.ts).
 */

/** When API keys were last used, ISO 8601 by id. Absent: there is no ClickHouse to ask. */
type KeyUses = (() => Promise<ReadonlyMap<string, string>>) | undefined;

/** One list each; `filter` is the id of the organisation or website it is narrowed to. */
const lists = {
  organisations: (state: ControlState) => [...state.organisations.values()],
  users: (state: ControlState, filter: string | undefined) => narrowed(state.users, 'organisationId', filter),
  websites: (state: ControlState, filter: string | undefined) =>
    narrowed(state.websites, 'organisationId', filter),
  async 'api-keys'(state: ControlState, filter: string | undefined, keyUses: KeyUses) {
    const keys = narrowed(state.apiKeys, 'organisationId', filter).map(withoutDigest);
    const uses = await keyUses?.();
    return uses === undefined ? keys : keys.map((key) => ({ ...key, lastUsedAt: uses.get(key.id) ?? null }));
  },
  'ingest-keys': (state: ControlState, filter: string | undefined) =>
    narrowed(state.ingestKeys, 'websiteId', filter).map(withoutDigest),
  exports: (state: ControlState, filter: string | undefined) =>
    narrowed(state.exports, 'websiteId', filter).map(withoutQuestion),
  crawls: (state: ControlState, filter: string | undefined) => narrowed(state.crawls, 'websiteId', filter),
  'export-schedules': (state: ControlState, filter: string | undefined) =>
    [...state.exportSchedules.values()]
      .filter(({ id }) => filter === undefined || id === filter)
      .map(({ id, ...schedule }) => ({ websiteId: id, ...schedule })),
} as const;

export type ListName = keyof typeof lists;

export interface AdminAppOptions
  extends NotificationRoutesOptions,
    ConnectionRoutesOptions,
    RowRoutesOptions,
    RecordedSearchOptions {
  readonly deadRecords: DeadLetterQueue;
  readonly logger: Logger;
  readonly keyUses?: KeyUses;
  /** Absent: there is no ClickHouse to erase from. */
  readonly erasure?: ErasureDesk | undefined;
  /** Absent: there is no ClickHouse whose rows could follow. */
  readonly setPrivacy?: SetPrivacy | undefined;
  /** Absent: there is no ClickHouse to store them in. */
  readonly siteFiles?: SiteFiles | undefined;
  /** For back-ups and for requests of jobs. */
  readonly log?: EventLog | undefined;
  /** Who asks, for the line that each command leaves; default the local socket, which its owner alone may open. */
  readonly by?: string;
  /** Where those lines go; default `logger`. */
  readonly audit?: Logger;
}

/**
 * `GET /<list>?filter=<id>` → `{rows}`; `GET /alert-settings?website=<id>` → `{answer}`; `POST /commands` `{type, …}` → `{answer}`; `GET /dead` → `{rows}`;
 * `GET /control-log?topic=…&from=…` → a page of a back-up;
 * `POST /erase/preview` and `POST /erase` `{kind, id}` or `{kind: 'address', address, websiteId}` → `{answer}`;
 * `POST /forget` `{websiteId, from, to, source, yes}` → `{answer}`: days of a website taken out, or what would go;
 * `POST /jobs` `{kind, websiteId}` → `{answer}`: the job runs soon;
 * `POST /insights` `{websiteId, page, filters}` → `{answer}`: one is written soon, where there is a language model;
 * `POST /privacy` `{websiteId, addressDays?, botsOnly?}` → `{answer}`: set, and followed by what is stored;
 * `POST /reclassify` `{from, to, websiteId}` → `{rows}`;
 * `POST /robots` `{websiteId, fetchedAt, content}` and `POST /sitemaps` `{websiteId, fetchedAt, files}` → `{answer}`: stored as a fetch would be;
 * `GET /deliveries?status=…&websiteId=…` and `POST /deliveries/retry` `{id}` or `{all: true, websiteId}` → `{rows}`;
 * `GET /connections?filter=…` → `{rows}`, and `POST /connections` `{websiteId, kind, property, propertyName, credential}` → `{answer}`;
 * `POST /recorded-search` and `POST /recorded-analytics` → `{answer}`: what a connected source told some time, stored as a reading of it would be;
 * `POST /webhook-secret` `{websiteId, isNew}` → `{answer}`;
 * `POST /dead/replay` `{all: true}` or `{partition, offset}` → `{rows}`; `POST /demo-organisation` → `{answer}`;
 * errors → `{detail}`.
 */
export function createAdminApp(options: AdminAppOptions): Hono {
  const { control, deadRecords, logger, keyUses, erasure } = options;
  const app = new Hono();
  app.use(auditLine(options));
  app.get('/control-log', async (context) => {
    const { topic, from } = readQuery(pageSchema, context.req.query());
    if (options.log === undefined) throw new PublicError('unavailable', 'there is no log to copy');
    return context.json(await readBackupPage(options.log, topic, from));
  });

  app.get('/dead', async (context) => context.json({ rows: await deadRecords.list() }));

  app.post('/dead/replay', async (context) => {
    const { again, ...wanted } = readBody(replaySchema, await context.req.text());
    return context.json({ rows: await deadRecords.replay('all' in wanted ? 'all' : wanted, { again }) });
  });

  app.post('/erase/preview', async (context) => {
    const subject = readBody(erasureSubject, await context.req.text());
    return context.json({ answer: await deskOf(erasure).preview(subject) });
  });

  app.post('/erase', async (context) => {
    const subject = readBody(erasureSubject, await context.req.text());
    return context.json({ answer: await deskOf(erasure).erase(subject) });
  });

  app.get('/alert-settings', (context) => {
    const websiteId = context.req.query('website') ?? '';
    refuseUnknownWebsite(control, websiteId);
    return context.json({ answer: alertSettingsOf(control.state(), websiteId) });
  });

  addJobRoutes(app, options);

  addRowRoutes(app, options);

  app.post('/privacy', async (context) => {
    const wanted = readBody(wantedPrivacy, await context.req.text());
    if (options.setPrivacy === undefined)
      throw new PublicError('invalid_request', 'this needs ClickHouse, too: set CLICKHOUSE_URL');
    return context.json({ answer: await options.setPrivacy(wanted) });
  });

  app.post('/robots', async (context) => {
    const given = readBody(givenRobots, await context.req.text());
    return context.json({ answer: await storeOf(options.siteFiles).storeRobots(given) });
  });

  app.post('/sitemaps', async (context) => {
    const given = readBody(givenSitemaps, await context.req.text());
    return context.json({ answer: await storeOf(options.siteFiles).storeSitemaps(given) });
  });

  addNotificationRoutes(app, options);
  addConnectionRoutes(app, options);
  addRecordedSearch(app, options);
  addRecordedAnalytics(app, options);

  app.post('/demo-organisation', async (context) => {
    const addresses = readBody(addressesSchema, await context.req.text());
    return context.json({ answer: await createDemoOrganisation(control, addresses) });
  });

  app.get('/:list', async (context) => {
    const name = context.req.param('list');
    if (!Object.hasOwn(lists, name)) throw new PublicError('not_found', `there is no list "${name}"`);
    const rows = await lists[name as ListName](control.state(), context.req.query('filter'), keyUses);
    return context.json({ rows });
  });

  app.post('/commands', async (context) => {
    const command = readCommand(await context.req.text());
    const outcome = await control.execute(command, 'admin');
    if ('refusal' in outcome) throw new PublicError(outcome.refusal.code, outcome.refusal.detail);
    return context.json({ answer: presentable(outcome.answer) });
  });

  app.notFound((context) => context.json({ detail: 'no such path' }, 404));
  app.onError((error, context) => {
    if (error instanceof PublicError) return context.json({ detail: error.message }, error.status);
    if (error instanceof LogUnavailableError) return context.json({ detail: error.message }, 503);
    logger.error({ err: error }, 'admin request failed');
    return context.json({ detail: error instanceof Error ? error.message : String(error) }, 500);
  });
  return app;
}

/** A line at `info` for each command: what and by whom, and whether it was done. Fields are left out: they name people. */
function auditLine({ by = 'local socket', audit, logger }: AdminAppOptions): MiddlewareHandler {
  return async (context, next) => {
    const { method, path } = context.req;
    const body: unknown = method === 'POST' ? await context.req.text().then(textOrNull) : null;
    const { type, kind } = (body ?? {}) as { type?: unknown; kind?: unknown };
    await next();
    if (method !== 'POST' && path !== '/control-log') return;
    const command = typeof type === 'string' && Object.hasOwn(commandKinds, type) ? type : undefined;
    const subject = erasureKinds.find((each) => each === kind);
    const line = { request_id: randomUUID(), by, path, command, subject, status: context.res.status };
    (audit ?? logger).info(line, 'admin command');
  };
}

const erasureKinds = ['organisation', 'website', 'user', 'address'];

function textOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const pageSchema = z.object({ topic: z.enum(backupTopics), from: z.coerce.number().int().min(0) });

function deskOf(erasure: ErasureDesk | undefined): ErasureDesk {
  if (erasure !== undefined) return erasure;
  throw new PublicError('invalid_request', 'erasing needs ClickHouse, too: set CLICKHOUSE_URL');
}

function storeOf(siteFiles: SiteFiles | undefined): SiteFiles {
  if (siteFiles !== undefined) return siteFiles;
  throw new PublicError('invalid_request', 'storing files needs ClickHouse, too: set CLICKHOUSE_URL');
}

const place = { partition: z.number().int().min(0), offset: z.number().int().min(0) };
const again = z.boolean().default(false);
const replaySchema = z.union([
  z.strictObject({ all: z.literal(true), again }),
  z.strictObject({ ...place, again }),
]);
const addressesSchema = z.object({ baseUrl: z.string(), ingestUrl: z.string() });

function readCommand(text: string): Command {
  const body = readJson(text);
  const type = (body as { type?: unknown } | null)?.type;
  if (typeof type !== 'string' || !Object.hasOwn(commandKinds, type))
    throw new PublicError('invalid_request', 'type: expected the name of a command');
  // Its fields are checked by the control plane.
  return body as Command;
}

interface ListedBy<Row, Field extends keyof Row> {
  values(): Iterable<Row>;
  by(field: Field, value: Row[Field]): readonly Row[];
}

function narrowed<Row, Field extends keyof Row>(
  table: ListedBy<Row, Field>,
  field: Field,
  filter: Row[Field] | undefined,
): readonly Row[] {
  return filter === undefined ? [...table.values()] : table.by(field, filter);
}

/** How it stands, on one line. */
function withoutQuestion({
  id,
  websiteId,
  exportType,
  status,
  attempts,
  returned,
  createdAt,
  startedAt,
  notBefore,
  completedAt,
  file,
  error,
}: Export) {
  const rows = file?.rows ?? null;
  const bytes = file?.bytes ?? null;
  return {
    id,
    websiteId,
    exportType,
    status,
    attempts,
    returned: returned.length,
    createdAt,
    startedAt,
    notBefore,
    completedAt,
    rows,
    bytes,
    error,
  };
}

function withoutDigest<Key extends StoredApiKey | StoredIngestKey>({
  digest: _,
  ...key
}: Key): Omit<Key, 'digest'> {
  return key;
}

/** An answer is a row, or names its rows; digests are nobody's business. */
function presentable(answer: object): object {
  return JSON.parse(JSON.stringify(answer, (key, value) => (key === 'digest' ? undefined : value)));
}
