import type { IncomingMessage, RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createFetcher } from '../../../../shared/fetch/fetcher.js';
import { gathered } from '../../../../test/harness/jobs/check-facts.js';
import { startLocalServer } from '../../../../test/harness/local-server.js';
import { checks } from '../all-checks.js';
import { gatherWebsite } from './gather-website.js';
import { beginVisit, visitBounds } from './visit.js';

const HTML = { 'content-type': 'text/html', etag: '"1"' };
const BODY =
  '<html lang="en"><title>Teapots</title><link rel="stylesheet" href="https://cdn.example.net/a.css"><link rel=stylesheet href="/b.css"><link rel=icon href="/i.svg">';

/** The pass over a website on one server. @returns the facts and the server's requests in order */
async function visit(
  listener: RequestListener,
  given: { listedUrls?: string[]; topPaths?: string[]; domain?: string } = {},
) {
  const asked: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const { port } = await startLocalServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    headers.push(request.headers);
    listener(request, response);
  });
  const origins = ['https://example.com', 'http://example.com', 'https://www.example.com'];
  const fetch = createFetcher({
    userAgent: 'checker',
    idleMs: 150,
    resolver: { resolve4: async () => [], resolve6: async () => [] },
    loopback: { origins: new Map(origins.map((origin) => [origin, port])) },
  });
  const bounds = { ...visitBounds, pauseMs: 0 };
  const deps = { fetch, now: () => performance.now(), signal: new AbortController().signal };
  const website = { id: 'web_1', domain: 'example.com', topPaths: [], listedUrls: [], ...given };
  return { facts: await gatherWebsite(beginVisit(deps, bounds), website), asked, headers };
}

const shop: RequestListener = ({ url, headers }, response) => {
  if (headers['if-none-match'] === '"1"') response.writeHead(304).end();
  else if (url === '/' || url === '/a' || url === '/a/') response.writeHead(200, HTML).end(BODY);
  else if (url === '/b.css') response.writeHead(200, { 'content-type': 'text/css' }).end('a{}');
  else response.writeHead(404).end();
};

describe('a website that responds', () => {
  test('gets each request of the checks once, one after the other', async () => {
    const { facts, asked } = await visit(shop, {
      topPaths: ['/a'],
      listedUrls: [
        'https://example.com/a',
        'https://other.example.net/b',
        'no address',
        'https://www.example.com/c',
      ],
    });
    expect(asked.map((each) => each.replace(/[0-9a-f]{12}$/, '…'))).toEqual([
      'example.com/',
      'example.com/',
      'www.example.com/',
      'example.com/loglane-check-…',
      'example.com/a',
      'www.example.com/c',
      'example.com/a',
      'example.com/',
      'example.com/a/',
      'example.com/b.css',
      'example.com/i.svg',
      'example.com/llms.txt',
    ]);
    expect(facts).toMatchObject({
      home: { outcome: 'ok' },
      page: { html: { title: 'Teapots' } },
      pages: [{}, { retrieval: { finalUrl: 'https://example.com/a' } }],
      again: { status: 304 },
      madeUp: { outcome: 'missing' },
      slash: { twin: { outcome: 'ok' } },
      listed: [{ outcome: 'ok' }, { outcome: 'missing' }],
      asset: { outcome: 'ok' },
      favicon: { outcome: 'missing' },
      llms: { outcome: 'missing' },
    });
  });

  test('gets at most twenty requests', async () => {
    const many = Array.from({ length: 50 }, (_, n) => `/page-${n}`);
    const { asked } = await visit(shop, {
      topPaths: many,
      listedUrls: many.map((path) => `https://example.com${path}`),
    });
    expect(asked.length).toBeLessThanOrEqual(20);
  });
});

describe('an unreadable website', () => {
  const verdictsOf = (facts: Awaited<ReturnType<typeof visit>>['facts']) => {
    const judged = checks
      .filter(({ needs }) => needs.includes('page'))
      .map(({ judge }) => judge(gathered(facts)));
    return new Set(judged.map(({ verdict, evidence }) => `${verdict} ${evidence.outcome}`));
  };

  test('that rejects the checker is requested only at its entrances, and its pages are not judged', async () => {
    const { facts, asked } = await visit((_, response) => void response.writeHead(403).end('no'));
    expect(asked).toEqual(['example.com/', 'example.com/', 'www.example.com/']);
    expect(facts.page).toMatchObject({ absent: { outcome: 'blocked', status: 403 } });
    expect(verdictsOf(facts)).toEqual(new Set(['unknown blocked']));
  });

  test('that hangs is unreachable', async () => {
    const { facts, asked } = await visit(() => {});
    expect(asked).toHaveLength(3);
    expect(verdictsOf(facts)).toEqual(new Set(['unknown unreachable']));
  });

  test('that fails is not judged', async () => {
    const { facts } = await visit((_, response) => void response.writeHead(500).end());
    expect(facts.home).toMatchObject({ outcome: 'server_error' });
    expect(verdictsOf(facts)).toEqual(new Set(['unknown server_error']));
  });

  test('without a DNS record gets no further attempt', async () => {
    const { facts, asked } = await visit(shop, { domain: 'nowhere.example' });
    expect(asked).toEqual([]);
    expect(facts.plain).toMatchObject({ absent: { outcome: 'unreachable' } });
    expect(verdictsOf(facts)).toEqual(new Set(['unknown unreachable']));
  });

  test('without HTML is not judged', async () => {
    const { facts } = await visit(
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    );
    expect(facts.home).toMatchObject({ outcome: 'ok' });
    expect(verdictsOf(facts)).toEqual(new Set(['unknown invalid']));
  });
});

test('no hostile page makes a check throw', async () => {
  const hostile = `<html lang="${'x'.repeat(9_999)}"><base href="javascript:x"><link rel=canonical href="http://["><link rel=alternate hreflang="__proto__" href="//">
<link rel=stylesheet href="https://["><link rel=icon href="data:,x"><script type="application/ld+json">{"@graph": [null, 7, [[]]], "__proto__": {}}</script>
<script type="application/ld+json">null</script><meta name=robots content="${'noindex,'.repeat(200)}"><meta name=viewport><title>${'<'.repeat(5_000)}`;
  const { facts } = await visit(({ url }, response) => {
    response.writeHead(200, {
      'content-type': 'text/html',
      'x-robots-tag': ':'.repeat(5_000),
      'cache-control': 'max-age=99999999999999999999',
    });
    response.end(`${hostile}${url}`);
  });
  for (const check of checks) expect(() => check.judge(gathered(facts)), check.id).not.toThrow();
});
