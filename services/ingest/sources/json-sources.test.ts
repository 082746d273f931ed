import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BODY_NOW, plainUpload, takeBody } from '../../../test/harness/ingest/take-body.js';
import { runs } from '../../../test/harness/runs.js';
import { caddy } from './caddy/caddy.js';
import { envoy } from './envoy/envoy.js';
import { json } from './json/json.js';
import { traefik } from './traefik.js';
import type { JsonSource } from './util/source.js';

/** Properties of the JSON records of all servers. */

interface Asked {
  readonly client: string;
  readonly path: string;
  readonly status: number;
  readonly at: number;
}

const seconds = (at: number) => at / 1_000;
const iso = (at: number) => new Date(at).toISOString();

/** A record of each form, and its request. */
const forms: readonly (readonly [source: JsonSource, write: (asked: Asked) => Record<string, unknown>])[] = [
  [
    caddy,
    ({ client, path, status, at }) => ({
      level: 'info',
      ts: seconds(at),
      logger: 'http.log.access.log0',
      request: {
        remote_ip: client,
        proto: 'HTTP/2.0',
        method: 'GET',
        host: 'shop.example.com',
        uri: path,
        headers: {},
      },
      duration: 0.017,
      size: 5,
      status,
    }),
  ],
  [
    traefik,
    ({ client, path, status, at }) => ({
      ClientHost: client,
      DownstreamStatus: status,
      DownstreamContentSize: 5,
      Duration: 17_000_000,
      RequestHost: 'shop.example.com',
      RequestMethod: 'GET',
      RequestPath: path,
      StartUTC: iso(at),
    }),
  ],
  [
    envoy,
    ({ client, path, status, at }) => ({
      start_time: iso(at),
      downstream_remote_address: client,
      ':authority': 'shop.example.com',
      method: 'GET',
      path,
      response_code: status,
      response_flags: '-',
      bytes_sent: 5,
      duration: 17,
    }),
  ],
  [
    json,
    ({ client, path, status, at }) => ({
      msec: seconds(at).toFixed(3),
      remote_addr: client,
      host: 'shop.example.com',
      request: `GET ${path} HTTP/1.1`,
      status: String(status),
      bytes_sent: '5',
      request_time: '0.017',
    }),
  ],
  [
    json,
    ({ client, path, status, at }) => ({
      '@timestamp': iso(at),
      source: { ip: client },
      url: { original: path, domain: 'shop.example.com' },
      http: { request: { method: 'get' }, response: { status_code: status, bytes: 5 } },
      event: { duration: 17_000_000 },
    }),
  ],
];

const asked: fc.Arbitrary<Asked> = fc.record({
  client: fc.oneof(
    fc.ipV4().filter((ip) => !ip.startsWith('0.')),
    fc.constantFrom('2001:db8::7', '198.51.100.7'),
  ),
  path: fc.webPath().map((path) => `/${path.replace(/^\/+/, '')}`),
  status: fc.integer({ min: 100, max: 599 }),
  at: fc.integer({ min: BODY_NOW - 86_400_000, max: BODY_NOW }),
});

describe.each(forms.map(([source, write]) => [source.name, source, write] as const))(
  'a record of %s',
  (_, source, write) => {
    it('is recognised, and keeps target, client, time and status', () => {
      fc.assert(
        fc.property(asked, (request) => {
          const { tally, requests } = takeBody(Buffer.from(JSON.stringify(write(request))));
          expect(tally).toMatchObject({ source: source.name, parsed: 1, rejected: 0 });
          expect(requests[0]).toMatchObject({
            client_ip: request.client,
            target: request.path,
            status: request.status,
            timestamp: request.at,
            method: 'GET',
            host: 'shop.example.com',
            bytes_sent: 5,
            time_taken_ms: 17,
          });
        }),
      );
    });

    it('with any part missing or replaced never throws', () => {
      const other = fc.oneof(
        fc.constantFrom('', '-', null, [], {}, '"', '[', '/', ' ', '::', [null], [[]], -1, 1e308),
        fc.jsonValue(),
      );
      const changes = fc.array(fc.tuple(fc.nat(), fc.boolean(), other), { minLength: 1, maxLength: 4 });
      fc.assert(
        fc.property(asked, changes, (request, changed) => {
          const record = structuredClone(write(request));
          for (const [place, isCut, value] of changed) change(record, place, isCut, value);
          const parsed = source.open(plainUpload).parse(record);
          expect(typeof parsed).toBe('object');
          expect(typeof source.detect(record)).toBe('boolean');
        }),
        { numRuns: runs(1_000) },
      );
    });

    it("is no other source's", () => {
      const record = write({ client: '198.51.100.7', path: '/', status: 200, at: BODY_NOW });
      const others = [caddy, traefik, envoy].filter((each) => each !== source);
      expect(others.filter((each) => each.detect(record))).toEqual([]);
    });
  },
);

/** Replaces or removes one value of a record, also in its objects. */
function change(record: Record<string, unknown>, place: number, isCut: boolean, value: unknown): void {
  const entries = Object.entries(record);
  if (entries.length === 0) return;
  const [key, inner] = entries[place % entries.length]!;
  const goesIn = typeof inner === 'object' && inner !== null && place % 3 !== 0;
  if (goesIn) change(inner as Record<string, unknown>, Math.floor(place / 3), isCut, value);
  else if (isCut) Reflect.deleteProperty(record, key);
  else Reflect.set(record, key, value);
}

describe('a field of a JSON record', () => {
  const base = { time: seconds(BODY_NOW), remote_addr: '198.51.100.7', method: 'GET', status: 200 };
  const take = (record: object) => takeBody(Buffer.from(JSON.stringify(record))).requests[0];

  it('is the same for every way to join the parts of its name', () => {
    const names = [
      { 'http.request.method': 'PUT' },
      { http_request_method: 'PUT' },
      { httpRequestMethod: 'PUT' },
      { 'HTTP-Request-Method': 'PUT' },
      { http: { request: { method: 'PUT' } } },
      { http: { 'request.method': 'PUT' } },
    ];
    for (const name of names) expect(take({ ...base, request_uri: '/', ...name })?.method).toBe('PUT');
  });

  it('is taken from the most specific name that has a value, in any order', () => {
    const paths = { uri: '/index.php', request: 'GET /line HTTP/1.1', request_uri: '/asked' };
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(paths), { minLength: 3 }), (entries) => {
        expect(take({ ...base, ...Object.fromEntries(entries) })?.target).toBe('/asked');
        const empty = entries.map(([name, value]) => [name, name === 'request_uri' ? '' : value]);
        expect(take({ ...base, ...Object.fromEntries(empty) })?.target).toBe('/line');
      }),
    );
  });

  it('is not a duration without a unit', () => {
    const timeTaken = (rest: object) => take({ ...base, request_uri: '/', ...rest })?.time_taken_ms;
    for (const name of ['duration', 'response_time', 'latency', 'time-taken', 'took']) {
      expect([name, timeTaken({ [name]: 41 })]).toEqual([name, null]);
      expect([name, timeTaken({ [name]: '41ms' })]).toEqual([name, 41]);
      expect([name, timeTaken({ [`${name}_us`]: 41_000 })]).toEqual([name, 41]);
      expect([name, timeTaken({ [`${name}_seconds`]: 0.041 })]).toEqual([name, 41]);
    }
  });
});

describe("a record with Loglane's own names", () => {
  const own = {
    timestamp: seconds(BODY_NOW),
    client_ip: '198.51.100.7',
    method: 'GET',
    path: '/',
    status: 200,
  };
  const sourceOf = (record: object) => takeBody(Buffer.from(JSON.stringify(record))).tally.source;

  it("stays in Loglane's form with any other field, and without any of its own", () => {
    const others = {
      '@timestamp': 1,
      remote_addr: '192.0.2.1',
      request_uri: '/x',
      request_method: 'PUT',
      status_code: 1,
    };
    expect(sourceOf({ ...own, ...others })).toBe('loglane');
    for (const name of Object.keys(own).filter((each) => each !== 'client_ip')) {
      const { [name as keyof typeof own]: _, ...rest } = own;
      expect([name, sourceOf(rest)]).toEqual([name, 'loglane']);
    }
  });

  it('has other names if one of them replaces a name of Loglane', () => {
    const { method, ...rest } = own;
    expect(sourceOf({ ...rest, request_method: method })).toBe('json');
    const { client_ip, ...nobody } = own;
    expect(sourceOf({ ...nobody, remote_addr: client_ip })).toBe('json');
  });
});

/** Records of Fluent Bit's and Vector's parsers. */
const apacheRecords = [
  { time: '2026-02-14T08:15:30Z', host: '66.249.66.1', method: 'GET', path: '/a', code: '200', size: '5' },
  {
    timestamp: '2026-02-14T08:15:30Z',
    host: '66.249.66.1',
    message: 'GET /a HTTP/1.1',
    method: 'GET',
    path: '/a',
    protocol: 'HTTP/1.1',
    status: 200,
  },
];

it.each(apacheRecords)(
  'the host of an Apache parser is the client only without another address: %j',
  (record) => {
    const take = (more: object) => takeBody(Buffer.from(JSON.stringify({ ...record, ...more }))).requests;
    expect(take({})).toMatchObject([{ client_ip: '66.249.66.1', host: '' }]);
    for (const name of ['xff', 'x_forwarded_for', 'http_x_forwarded_for', 'x_real_ip', 'remote_addr']) {
      const requests = take({ [name]: '203.0.113.9' });
      expect(requests, name).toMatchObject([{ client_ip: '203.0.113.9', host: '66.249.66.1' }]);
    }
    for (const name of ['forwarded', 'peerAddr', 'clientIp4', 'X-Envoy-Peer-IP', 'x_forwarded_for']) {
      expect(JSON.stringify(take({ [name]: '-' })), name).not.toContain('"client_ip":"66.249.66.1"');
    }
  },
);
