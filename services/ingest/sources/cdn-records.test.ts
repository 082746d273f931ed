import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BODY_NOW, takeBody } from '../../../test/harness/ingest/take-body.js';
import { detectJsonSource } from '../records/detect-source.js';
import { sources } from './all-sources.js';
import type { JsonRecord } from './util/source.js';

/** JSON records of CDNs: one request in the form of each. */

const at = BODY_NOW / 1_000 - 60;
const iso = new Date(at * 1_000).toISOString();

interface Asked {
  readonly path: string;
  readonly ip: string;
  readonly status: number;
}

const writers: readonly (readonly [source: string, write: (asked: Asked) => JsonRecord])[] = [
  [
    'fastly',
    ({ path, ip, status }) => ({
      timestamp: iso,
      client_ip: ip,
      url: path,
      request_method: 'GET',
      response_status: status,
      fastly_is_edge: true,
    }),
  ],
  [
    'fastly',
    ({ path, ip, status }) => ({ timestamp: iso, cli_ip: ip, rid: 'r', url: path, method: 'GET', status }),
  ],
  [
    'akamai',
    ({ path, ip, status }) => ({
      reqTimeSec: `${at}.5`,
      cliIP: ip,
      reqPath: path,
      reqMethod: 'GET',
      statusCode: `${status}`,
    }),
  ],
  [
    'vercel',
    ({ path, ip, status }) => ({
      deploymentId: 'd',
      projectId: 'p',
      requestId: 'r',
      proxy: { timestamp: at * 1_000, clientIp: ip, path, method: 'GET', statusCode: status },
    }),
  ],
  [
    'netlify',
    ({ path, ip, status }) => ({
      log_type: 'traffic',
      site_id: 's',
      timestamp: iso,
      client_ip: ip,
      url: `https://shop.example.com${path}`,
      method: 'GET',
      status_code: status,
    }),
  ],
  [
    'gcp',
    ({ path, ip, status }) => ({
      timestamp: iso,
      insertId: 'i',
      logName: 'projects/shop/logs/requests',
      httpRequest: {
        remoteIp: ip,
        requestUrl: `https://shop.example.com${path}`,
        requestMethod: 'GET',
        status,
      },
    }),
  ],
  [
    'azure',
    ({ path, ip, status }) => ({
      time: iso,
      category: 'FrontDoorAccessLog',
      properties: {
        socketIp: ip,
        requestUri: `https://shop.example.com:443${path}`,
        httpMethod: 'GET',
        httpStatusCode: `${status}`,
      },
    }),
  ],
];

const asked = fc.record({
  path: fc.webPath({ size: 'small' }).map((path) => `/a${path}`),
  ip: fc.oneof(
    fc.nat({ max: 255 }).map((last) => `198.51.100.${last}`),
    fc.nat({ max: 0xffff }).map((last) => `2001:db8::${last.toString(16)}`),
  ),
  status: fc.integer({ min: 100, max: 599 }),
});

it.each(writers)('a record of %s is recognised, and keeps its path, client and status', (source, write) => {
  fc.assert(
    fc.property(asked, (each) => {
      const record = write(each);
      const known = sources
        .filter((one) => one.shape === 'json' && one.name !== 'json' && one.detect(record))
        .map(({ name }) => name);
      expect(detectJsonSource(record)?.name).toBe(source);
      // Loglane's own names are the least specific, so they are last.
      expect(known.filter((name) => name !== 'loglane')).toEqual([source]);
      const { requests, tally } = takeBody(Buffer.from(JSON.stringify(record)));
      expect(tally.source).toBe(source);
      expect(requests).toMatchObject([
        { target: each.path, client_ip: each.ip, status: each.status, method: 'GET' },
      ]);
    }),
  );
});

it.each(writers)(
  'a record of %s with anything in any of its fields costs itself at most',
  (source, write) => {
    const good = write({ path: '/', ip: '198.51.100.7', status: 200 });
    const named = sources.find(({ name }) => name === source)!;
    const value = fc.oneof(
      fc.constantFrom(
        null,
        true,
        false,
        '',
        '-',
        '%',
        '%%20+',
        '^',
        -1,
        Number.MAX_VALUE,
        {},
        [],
        '__proto__',
        ',',
      ),
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
    );
    const names = [...Object.keys(good), 'country', 'referer', 'UA', 'queryStr', 'jsonPayload', 'isMidgress'];
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.option(fc.string(), { nil: undefined }),
        value,
        (name, inner, any) => {
          const changed = inner === undefined ? any : { ...(good[name] as object), [inner]: any };
          const body = [good, { ...good, [name]: changed }].map((each) => JSON.stringify(each)).join('\n');
          const { tally, refusal } = takeBody(Buffer.from(body), { source: named });
          expect(refusal).toBeNull();
          expect(tally.errors.map(({ reason }) => reason)).not.toContain('can not be read');
          expect(tally.parsed).toBeGreaterThanOrEqual(1);
          expect(tally.parsed + tally.rejected + tally.skipped).toBe(2);
        },
      ),
    );
  },
);
