import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { authenticate, type Credentials } from './authentication.js';
import { bindParams } from './bind-params.js';
import type { Engine, EngineAnswer, SessionRole } from './engine.js';
import {
  badArguments,
  type EngineError,
  notImplemented,
  statusOf,
  toEngineError,
  unknownDatabase,
} from './engine-error.js';
import { createReadPlans, planRead, type ReadPlan, type ReadPlans } from './read-plans.js';
import { readWhole } from './request-body.js';
import { removeFile, sendAnswer, sendFile } from './response.js';
import { type RequestOptions, readRequestOptions } from './settings.js';
import type { Spool } from './spool.js';
import {
  type InsertStatement,
  parseStatement,
  renderCommand,
  renderInsert,
  renderRead,
  renderReadToFile,
} from './statement.js';

/** The part of ClickHouse's HTTP interface that @clickhouse/client uses, in front of an {@link Engine}. */
export interface FrontOptions {
  readonly engine: Engine;
  readonly spool: Spool;
  readonly credentials: Credentials;
  /** Settings for requests that do not set them. The engine can be interrupted only between two blocks, so it needs limits. */
  readonly defaults: {
    readonly read: Readonly<Record<string, string>> & { readonly max_execution_time: string };
    /** For commands, including INSERT … SELECT. */
    readonly write: Readonly<Record<string, string>>;
    /** For inserts with rows in the request. */
    readonly insert: Readonly<Record<string, string>>;
  };
  /** Milliseconds that a read may exceed its limit before the engine counts as stuck. */
  readonly readGraceMs: number;
  readonly maxBodyBytes: number;
}

/** Idle timeout of a connection with a request: a client that stops reading must not occupy a session. */
const SOCKET_SILENCE_MS = 300_000;

/** Time limit for answers that are written to a file, since no user waits for them. */
const LONGEST_FILE_SECONDS = 3_600;

export function createHttpFront(options: FrontOptions): Server {
  // 1 MiB for the request line, as a server allows by default, since it contains the parameters.
  const front: Front = { ...options, plans: createReadPlans(), nextMark: createMarks() };
  const server = createServer({ maxHeaderSize: 1024 ** 2, keepAliveTimeout: 60_000 }, (request, response) => {
    handle(request, response, front).catch((error) => fail(response, toEngineError(error)));
  });
  server.requestTimeout = 0;
  server.timeout = SOCKET_SILENCE_MS;
  return server;
}

interface Front extends FrontOptions {
  readonly plans: ReadPlans;
  /** @returns a unique mark for a statement of this name. */
  nextMark(name: string): string;
}

function createMarks(): Front['nextMark'] {
  const secret = randomBytes(8).toString('hex');
  let last = 0;
  return (name) => `${name} ${secret}-${++last}`;
}

async function handle(request: IncomingMessage, response: ServerResponse, options: Front) {
  const [path, search = ''] = (request.url ?? '/').split('?', 2);
  if (path === '/ping') return sendOk(response);
  authenticate(request.headers, options.credentials);
  if (path !== '/') {
    response.writeHead(404).end('There is no handle for this path; use /ping, or / with a query\n');
    return;
  }
  const asked = readRequestOptions(new URLSearchParams(search), request.headers);
  if (asked.queryId !== null) response.setHeader('X-ClickHouse-Query-Id', asked.queryId);
  if (asked.database !== 'default') throw unknownDatabase(`Database ${asked.database} does not exist`);
  if (/^multipart\//i.test(request.headers['content-type'] ?? '')) {
    throw notImplemented('the embedded engine accepts parameters only in the URL, not in a multipart body');
  }
  if (request.headers['content-encoding'] !== undefined)
    throw notImplemented('the embedded engine does not accept compressed bodies');
  await run({ asked, body: request, gone: goneSignal(response) }, response, options);
}

interface Call {
  readonly asked: RequestOptions;
  readonly body: Readable;
  /** Fires when the client disconnects before its answer is complete. */
  readonly gone: AbortSignal;
}

async function run(call: Call, response: ServerResponse, options: Front): Promise<void> {
  const { asked, body } = call;
  let text = asked.query;
  if (text !== '') {
    const statement = parseStatement(text);
    // Rows are streamed, so they are never completely in memory.
    if (statement.kind === 'insert') return runInsert(call, { statement, text }, response, options);
  }
  const rest = (await readWhole(body, options.maxBodyBytes)).toString();
  if (text === '' && rest === '') return sendOk(response);
  text = text === '' ? rest : `${text}\n${rest}`;
  const known = options.plans.get(text);
  if (known !== undefined) return runRead(call, known, response, options);
  const statement = parseStatement(text);
  if (statement.kind === 'read') {
    const plan = planRead(statement);
    options.plans.set(text, plan);
    return runRead(call, plan, response, options);
  }
  if (statement.kind === 'insert') {
    const inline = { ...call, body: Readable.from([Buffer.from(text.slice(statement.dataStart))]) };
    return runInsert(inline, { statement, text: text.slice(0, statement.dataStart) }, response, options);
  }
  const settings = withDefaults(asked.settings, options.defaults.write);
  const command = { ...statement, head: bindParams(statement.head, asked.params) };
  const answer = await options.engine.query(renderCommand(command, settings), {
    role: 'writer',
    signal: call.gone,
  });
  sendAnswer(response, answer, 'TabSeparated');
}

async function runRead(
  { asked, gone }: Call,
  plan: ReadPlan,
  response: ServerResponse,
  { engine, spool, defaults, readGraceMs, nextMark }: Front,
): Promise<void> {
  const format = plan.format ?? asked.defaultFormat ?? 'TabSeparated';
  if (!/^[A-Za-z0-9_]+$/.test(format)) throw badArguments('the format has an invalid name');
  const head = plan.head.bind(asked.params);
  const settings = readSettings(asked, defaults.read);
  // 1 refuses table functions, but also the statement's own settings. The check above makes 2 safe, too.
  settings.set('readonly', plan.ownSettings ? '2' : '1');
  const mark = nextMark(settings.get('log_comment') ?? '');
  settings.set('log_comment', mark);
  const options = {
    role: roleOf(settings),
    signal: gone,
    mark,
    limitMs: Number(settings.get('max_execution_time')) * 1000 + readGraceMs,
  };
  if (asked.answerFile !== null) {
    const file = { path: spool.answerPath(), compression: asked.answerFile };
    // The connection is not idle while the engine writes the file.
    response.socket?.setTimeout(0);
    const { rows } = await engine
      .query(renderReadToFile(head, format, settings, file), options)
      .catch((error) => removeFile(file.path).then(() => Promise.reject(error)));
    response.socket?.setTimeout(SOCKET_SILENCE_MS);
    return sendFile(response, { ...file, format, rows });
  }
  sendAnswer(response, await engine.query(renderRead(head, format, settings), options), format);
}

/**
 * Most threads of a scan. The engine uses fewer if it has less than 1 GiB of free memory for each. With the memory limit of
 * start-engine.ts, it uses one.
 */
const SCAN_THREADS = String(Math.max(1, Math.floor(availableParallelism() / 2)));

/** Threads for an answer that is written to a file: one runs the statement, the others format its rows. They are idle half the time. */
const FILE_THREADS = String(Math.max(3, Number(SCAN_THREADS) + 1));

/** A read is read-only, and its time limit is never above ours, since the engine can't be interrupted within a block. */
function readSettings(
  { settings: asked, answerFile }: RequestOptions,
  defaults: FrontOptions['defaults']['read'],
): Map<string, string> {
  const longest = answerFile === null ? Number(defaults.max_execution_time) : LONGEST_FILE_SECONDS;
  const settings = new Map(withDefaults(asked, defaults));
  const limit = Number(settings.get('max_execution_time'));
  settings.set('max_execution_time', String(limit > 0 && limit <= longest ? limit : longest));
  if (roleOf(settings) === 'scanner' && !settings.has('max_threads'))
    settings.set('max_threads', answerFile === null ? SCAN_THREADS : FILE_THREADS);
  return settings;
}

/** Reads with low priority (`priority` above 1, which wait for others on a server) have separate sessions. */
function roleOf(settings: ReadonlyMap<string, string>): SessionRole {
  return Number(settings.get('priority')) > 1 ? 'scanner' : 'reader';
}

async function runInsert(
  { asked, body, gone }: Call,
  { statement, text }: { statement: InsertStatement; text: string },
  response: ServerResponse,
  { engine, spool, defaults, maxBodyBytes }: Front,
): Promise<void> {
  if (text.slice(statement.dataStart).trim() !== '') {
    throw badArguments('the rows of an INSERT must be either in the query or in the body');
  }
  const settings = withDefaults(asked.settings, defaults.insert);
  const head = bindParams(statement.head, asked.params);
  const rows = await spool.store(body, maxBodyBytes);
  try {
    // As on a server, an insert without rows is not an error.
    const answer =
      rows.bytes === 0
        ? noAnswer
        : await engine.query(renderInsert({ ...statement, head }, rows.path, settings), {
            role: 'writer',
            signal: gone,
          });
    sendAnswer(response, { ...answer, writtenRows: answer.rows, writtenBytes: answer.bytes }, 'TabSeparated');
  } finally {
    await rows.remove();
  }
}

const noAnswer: EngineAnswer = { body: Buffer.alloc(0), rows: 0, bytes: 0, elapsedSeconds: 0 };

function withDefaults(
  settings: ReadonlyMap<string, string>,
  defaults: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  return new Map([...Object.entries(defaults), ...settings]);
}

function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function sendOk(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/plain; charset=UTF-8' }).end('Ok.\n');
}

function fail(response: ServerResponse, error: EngineError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(statusOf(error.code), {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': String(error.code),
    ...(error.code === 194 ? { 'WWW-Authenticate': 'Basic realm="ClickHouse"' } : {}),
    ...(statusOf(error.code) === 503 ? { 'Retry-After': '1' } : {}),
  });
  response.end(`${error.message}\n`);
}
