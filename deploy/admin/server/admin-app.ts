import { randomUUID } from 'node:crypto';
import { Hono, type MiddlewareHandler } from 'hono';
import type { Command } from '../../../shared/control/decide/commands.js';
import { commandKinds } from '../../../shared/control/decide/kinds.js';
import type { Export, StoredApiKey, StoredIngestKey } from '../../../shared/control/domain/model.js';
import type { ControlState } from '../../../shared/control/domain/state.js';
import { PublicError } from '../../../shared/errors.js';
import { LogUnavailableError } from '../../../shared/event-log/event-log.js';
import { readKeyUses } from '../../../shared/reads/account/api-key-uses.js';
import { type AdminAppOptions, addAdminRoutes } from './admin-routes.js';
import { readJson } from './read-input.js';

/**
 * API of a running instance for the operator's command line: lists, and the commands of kinds.ts. It needs no key:
 * only the owner of the data can open the socket (admin-server.ts).
 */

/** Lists by name; `filter` is the id of an organisation or website. */
const lists = {
  organisations: (state: ControlState) => [...state.organisations.values()],
  users: (state: ControlState, filter: string | undefined) => narrowed(state.users, 'organisationId', filter),
  websites: (state: ControlState, filter: string | undefined) =>
    narrowed(state.websites, 'organisationId', filter),
  /** With the last use of each key, if ClickHouse is configured. */
  async 'api-keys'(state: ControlState, filter: string | undefined, { clickhouse }: AdminAppOptions) {
    const keys = narrowed(state.apiKeys, 'organisationId', filter)
      .map(withoutDigest)
      .map(({ tokens: _, ...key }) => key);
    const uses = clickhouse === undefined ? null : await readKeyUses(clickhouse);
    return keys.map(({ seenAt, ...key }) =>
      uses === null ? key : { ...key, lastUsedAt: uses.get(key.id) ?? seenAt },
    );
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

/** `GET /<list>?filter=<id>` → `{rows}`; `POST /commands` `{type, …}` → `{answer}`; the routes of admin-routes.ts; errors → `{detail}`. */
export function createAdminApp(options: AdminAppOptions): Hono {
  const { control, logger } = options;
  const app = new Hono();
  app.use(auditLine(options));
  addAdminRoutes(app, options);

  app.get('/:list', async (context) => {
    const name = context.req.param('list');
    if (!Object.hasOwn(lists, name)) throw new PublicError('not_found', `there is no list "${name}"`);
    const rows = await lists[name as ListName](control.state(), context.req.query('filter'), options);
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

/** Logs a line at `info` for each command: its name, its caller and its outcome. The line has no fields, since they name people. */
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

function readCommand(text: string): Command {
  const body = readJson(text);
  const type = (body as { type?: unknown } | null)?.type;
  if (typeof type !== 'string' || !Object.hasOwn(commandKinds, type))
    throw new PublicError('invalid_request', 'type: expected the name of a command');
  // The control plane checks the fields.
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

/** A connection and its last sync, in one row. */
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

/** An answer is a row, or an object of rows. Digests are removed. */
function presentable(answer: object): object {
  const hidden = new Set(['digest', 'seenAt', 'tokens']);
  return JSON.parse(JSON.stringify(answer, (key, value) => (hidden.has(key) ? undefined : value)));
}
