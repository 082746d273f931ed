import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { BatchLogRecordProcessor, LoggerProvider, type LogRecordExporter } from '@opentelemetry/sdk-logs';
import { describe, expect, it } from 'vitest';
import type { RawRequest } from '../../shared/requests/raw-request.js';
import { startIngest } from './programs.js';

/** OpenTelemetry's own SDK and exporters send requests in each form of the guide. */

type LogRecord = Parameters<ReturnType<LoggerProvider['getLogger']>['emit']>[0];

interface Told {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly client: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly bytes: number;
  readonly userAgent: string;
  readonly referrer: string;
}

const agents = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Ünïcode/1.0 €',
  'x',
];
const paths = ['/', '/caf%C3%A9', '/a%20b', "/it's|piped"];
const statuses = [200, 301, 404, 503, 499];

/** Requests of the last hour with whole seconds, as in lines; sizes from zero to more than 32 bits. */
function makeRequests(count: number): Told[] {
  const start = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;
  return Array.from({ length: count }, (_, index) => ({
    at: start + index * 1_000,
    client: index % 3 === 0 ? `2001:db8::${index.toString(16)}` : `203.0.113.${index}`,
    method: index % 7 === 0 ? 'POST' : 'GET',
    path: paths[index % paths.length]!,
    query: `n=${index}`,
    status: statuses[index % statuses.length]!,
    bytes: index % 10 === 0 ? 5_000_000_000 + index : index * 100,
    userAgent: agents[index % agents.length]!,
    referrer: `https://www.example.org/${index}`,
  }));
}

const target = ({ path, query }: Told) => `${path}?${query}`;

/** A shipper reads a line later than its request was made. */
const readLater = (one: Told) => new Date(one.at + 60_000);

function combinedTime(at: number): string {
  const [, day, month, year, clock] = new Date(at).toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
}

const forms: Readonly<Record<string, (one: Told, index: number) => LogRecord>> = {
  'a combined line in the body': (one) => ({
    timestamp: readLater(one),
    severityNumber: 9,
    body: `${one.client} - - [${combinedTime(one.at)}] "${one.method} ${target(one)} HTTP/1.1" ${one.status} ${one.bytes} "${one.referrer}" "${one.userAgent}"`,
    attributes: { 'log.file.name': 'access.log', 'log.file.path': '/var/log/nginx/access.log' },
  }),
  'a line of JSON in the body': (one) => ({ timestamp: readLater(one), body: JSON.stringify(loglanes(one)) }),
  'Loglane’s own fields as a map in the body': (one) => ({
    timestamp: readLater(one),
    body: loglanes(one),
  }),
  'fields of nginx as a map in the body': (one) => ({
    timestamp: readLater(one),
    body: {
      msec: one.at / 1_000,
      remote_addr: one.client,
      request_method: one.method,
      request_uri: target(one),
      server_protocol: 'HTTP/1.1',
      host: 'shop.example.com',
      status: one.status,
      bytes_sent: one.bytes,
      request_time: 0.041,
      http: { referer: one.referrer, user_agent: one.userAgent },
    },
    attributes: { 'log.file.name': 'access.json' },
  }),
  'attributes by the semantic conventions': (one, index) => ({
    timestamp: new Date(one.at),
    eventName: 'http.server.request',
    // With a readable message, with an empty one, and with none.
    ...[{ body: `${one.method} ${one.path} was answered` }, { body: '' }, {}][index % 3],
    attributes: {
      'client.address': one.client,
      'client.port': 50_000,
      'network.peer.address': '10.0.0.7',
      'http.request.method': one.method,
      'url.scheme': 'https',
      'url.path': one.path,
      'url.query': one.query,
      'http.route': '/:name',
      'http.response.status_code': one.status,
      'http.response.body.size': one.bytes,
      'http.request.body.size': 17,
      'user_agent.original': one.userAgent,
      'server.address': 'shop.example.com',
      'server.port': 443,
      'network.protocol.name': 'http',
      'network.protocol.version': '1.1',
      // Headers are lists: a request may have a header twice.
      'http.request.header.referer': [one.referrer],
      'http.response.header.content-type': ['text/html; charset=utf-8'],
    },
  }),
  'attributes by the conventions of before': (one) => ({
    timestamp: new Date(one.at),
    body: 'request',
    attributes: {
      'http.client_ip': one.client,
      'net.sock.peer.addr': '10.0.0.7',
      'http.method': one.method,
      'http.target': target(one),
      'http.status_code': one.status,
      'http.response_content_length': one.bytes,
      'http.user_agent': one.userAgent,
      'net.host.name': 'shop.example.com',
      'http.flavor': '1.1',
      'http.request.header.referer': [one.referrer],
    },
  }),
};

function loglanes(one: Told) {
  return {
    timestamp: new Date(one.at).toISOString(),
    client_ip: one.client,
    method: one.method,
    host: 'shop.example.com',
    path: target(one),
    protocol: 'HTTP/1.1',
    status: one.status,
    bytes_sent: one.bytes,
    time_taken_ms: 41,
    user_agent: one.userAgent,
    referrer: one.referrer,
  };
}

const exporters = { JSON: JsonExporter, protobuf: ProtobufExporter };
type Compression = NonNullable<NonNullable<ConstructorParameters<typeof ProtobufExporter>[0]>['compression']>;
const ways = (['JSON', 'protobuf'] as const).flatMap((encoding) =>
  (['gzip', 'none'] as const).map((compression) => ({ encoding, compression })),
);

function exporterTo(
  { host, key }: { readonly host: string; readonly key: string },
  { encoding, compression }: (typeof ways)[number],
): LogRecordExporter {
  return new exporters[encoding]({
    url: `http://${host}/v1/logs`,
    headers: { 'X-API-Key': key },
    compression: compression as Compression,
  });
}

/** @returns the exporter's result of each upload: 0 if it was accepted. */
async function send(
  exporter: LogRecordExporter,
  records: readonly LogRecord[],
): Promise<{ readonly records: number; readonly code: number }[]> {
  const uploads: { records: number; code: number }[] = [];
  const watched: LogRecordExporter = {
    export: (batch, done) =>
      exporter.export(batch, (result) => {
        uploads.push({ records: batch.length, code: result.code });
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
  const provider = new LoggerProvider({
    processors: [new BatchLogRecordProcessor({ exporter: watched, maxExportBatchSize: 64 })],
  });
  const loggers = ['shop', 'checkout'].map((name) => provider.getLogger(name));
  for (const [index, record] of records.entries()) loggers[index % loggers.length]!.emit(record);
  await provider.shutdown();
  return uploads;
}

describe.each(ways)('OpenTelemetry’s SDK in $encoding, compression $compression', (way) => {
  it.each(Object.keys(forms))('counts each request once, unchanged: %s', async (form) => {
    const world = await startIngest();
    const requests = makeRequests(200);
    const exporter = exporterTo(world, way);
    const uploads = await send(exporter, requests.map(forms[form]!));
    expect(uploads).toEqual([64, 64, 64, 8].map((records) => ({ records, code: 0 })));
    const counted = world.requests().sort((one, other) => one.timestamp - other.timestamp);
    expect(counted.map(fieldsOf)).toEqual(
      requests.map((one) => ({
        timestamp: one.at,
        client_ip: one.client,
        method: one.method,
        target: target(one),
        protocol: 'HTTP/1.1',
        status: one.status,
        bytes_sent: one.bytes,
        user_agent: one.userAgent,
        referrer: one.referrer,
        // A combined line has no host.
        host: form.startsWith('a combined') ? '' : 'shop.example.com',
      })),
    );
  });
});

function fieldsOf({
  timestamp,
  client_ip,
  method,
  target,
  protocol,
  status,
  bytes_sent,
  user_agent,
  referrer,
  host,
}: RawRequest) {
  return {
    timestamp,
    client_ip,
    method,
    target,
    protocol,
    status,
    bytes_sent,
    user_agent,
    referrer,
    host,
  };
}

it.each(ways)(
  'a wrong key is a failure to the exporter: $encoding, compression $compression',
  async (way) => {
    const world = await startIngest();
    const exporter = exporterTo({ host: world.host, key: 'wrong' }, way);
    const records = makeRequests(3).map(forms['a combined line in the body']!);
    expect(await send(exporter, records)).toEqual([{ records: 3, code: 1 }]);
    expect(world.requests()).toEqual([]);
  },
);
