import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { authenticate, type Credentials } from './authentication.js';
import { bindParams } from './bind-params.js';
import type { Engine } from './engine.js';
import {
  badArguments,
  type EngineError,
  notImplemented,
  statusOf,
  toEngineError,
  unknownDatabase,
} from './engine-error.js';
import { readBody } from './request-body.js';
import { sendAnswer, sendBlocks } from './response.js';
import { type RequestOptions, readRequestOptions } from './settings.js';
import { parseStatement, renderCommand, renderInsert, renderRead, type Statement } from './statement.js';

/** The part of ClickHouse's HTTP interface that @clickhouse/client uses, in front of an {@link Engine}. */
export interface FrontOptions {
  readonly engine: Engine;
  readonly credentials: Credentials;
  /** Settings of statements that do not bring their own: an engine that can't be interrupted needs limits. */
  readonly defaults: {
    readonly read: Readonly<Record<string, string>>;
    readonly write: Readonly<Record<string, string>>;
  };
  readonly maxBodyBytes: number;
}

/** Formats whose blocks can be sent as they come: neither header nor footer. All others are answered whole. */
const blockFormats = new Set([
  'CSV',
  'JSONCompactEachRow',
  'JSONCompactStringsEachRow',
  'JSONEachRow',
  'JSONStringsEachRow',
  'Native',
  'RowBinary',
  'TabSeparated',
  'TabSeparatedRaw',
  'TSV',
  'TSVRaw',
]);

/** Longest silence on a connection with a request: a reader that stops reading must not keep a session. */
const SOCKET_SILENCE_MS = 300_000;

export function createHttpFront(options: FrontOptions): Server {
  // 1 MiB of request line, as a server allows by default: parameters travel in it.
  const server = createServer({ maxHeaderSize: 1024 ** 2, keepAliveTimeout: 60_000 }, (request, response) => {
    handle(request, response, options).catch((error) => fail(response, toEngineError(error)));
  });
  server.requestTimeout = 0;
  server.timeout = SOCKET_SILENCE_MS;
  return server;
}

async function handle(request: IncomingMessage, response: ServerResponse, options: FrontOptions) {
  const url = new URL(request.url ?? '/', 'http://engine');
  if (url.pathname === '/ping') return sendOk(response);
  authenticate(request.headers, options.credentials);
  if (url.pathname !== '/') {
    response.writeHead(404).end('There is no handle for this path; use /ping, or / with a query\n');
    return;
  }
  const asked = readRequestOptions(url.searchParams);
  if (asked.queryId !== null) response.setHeader('X-ClickHouse-Query-Id', asked.queryId);
  if (asked.database !== 'default') throw unknownDatabase(`Database ${asked.database} does not exist`);
  if (/^multipart\//i.test(request.headers['content-type'] ?? '')) {
    throw notImplemented('the embedded engine takes parameters in the URL, not in a multipart body');
  }
  const body = await readBody(request, options.maxBodyBytes);
  if (asked.query === '' && body.length === 0) return sendOk(response);
  await run({ asked, body, gone: goneSignal(response) }, response, options);
}

interface Call {
  readonly asked: RequestOptions;
  readonly body: Buffer;
  /** Fires when the client has left before its answer was complete. */
  readonly gone: AbortSignal;
}

async function run(call: Call, response: ServerResponse, options: FrontOptions): Promise<void> {
  const { asked, body } = call;
  let text = asked.query === '' ? body.toString() : asked.query;
  let statement = parseStatement(text);
  if (statement.kind === 'insert') return runInsert(call, text, statement, response, options);
  if (asked.query !== '' && body.length > 0) {
    text = `${asked.query}\n${body}`;
    statement = parseStatement(text);
  }
  if (statement.kind === 'read') return runRead(call, statement, response, options);
  if (statement.kind === 'insert')
    throw badArguments('the data of an INSERT belong into the body, its FORMAT into the query');
  const settings = withDefaults(asked.settings, options.defaults.write);
  // The statement's tail may be rows of VALUES: data, in which braces mean nothing to us.
  const command = { ...statement, head: bindParams(statement.head, asked.params) };
  const answer = await options.engine.query(renderCommand(command, settings), 'writer', call.gone);
  await sendAnswer(response, { answer, format: 'TabSeparated', compress: false });
}

async function runRead(
  { asked, gone }: Call,
  statement: Extract<Statement, { kind: 'read' }>,
  response: ServerResponse,
  { engine, defaults }: FrontOptions,
): Promise<void> {
  const format = statement.format ?? asked.defaultFormat ?? 'TabSeparated';
  if (!/^[A-Za-z0-9_]+$/.test(format)) throw badArguments('the format has no such name');
  const head = bindParams(statement.head, asked.params);
  const sql = renderRead(head, format, withDefaults(asked.settings, defaults.read));
  const compress = asked.compressResponse;
  if (statement.streamable && blockFormats.has(format)) {
    await engine.stream(sql, format, (blocks) => sendBlocks(response, { blocks, format, compress }), gone);
    return;
  }
  await sendAnswer(response, { answer: await engine.query(sql, 'reader', gone), format, compress });
}

async function runInsert(
  { asked, body, gone }: Call,
  text: string,
  { head, format, dataStart }: Extract<Statement, { kind: 'insert' }>,
  response: ServerResponse,
  { engine, defaults }: FrontOptions,
): Promise<void> {
  const inBody = asked.query !== '';
  const inline = text.slice(dataStart);
  if (inBody && inline.trim() !== '')
    throw badArguments('the data of an INSERT stand either in the query or in the body');
  const data = inBody ? body : body.subarray(body.length - Buffer.byteLength(inline));
  let written = { writtenRows: 0, writtenBytes: 0 };
  if (data.length > 0) {
    const settings = withDefaults(asked.settings, defaults.write);
    const insertHead = renderInsert(bindParams(head, asked.params), format, settings);
    written = await engine.insert({ head: insertHead, data, signal: gone });
  }
  response.setHeader(
    'X-ClickHouse-Summary',
    JSON.stringify({
      read_rows: '0',
      read_bytes: String(data.length),
      written_rows: String(written.writtenRows),
      written_bytes: String(written.writtenBytes),
      total_rows_to_read: '0',
      result_rows: String(written.writtenRows),
      result_bytes: String(written.writtenBytes),
      elapsed_ns: '0',
    }),
  );
  response.writeHead(200, { 'Content-Type': 'text/plain; charset=UTF-8' }).end();
}

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
