import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { askConsent } from './consent.js';
import { createProgram } from './program.js';

function world(answer: object = {}, consent?: typeof askConsent) {
  const asked: { path: string; body?: unknown }[] = [];
  const printed: string[] = [];
  const program = createProgram({
    instance: {
      get: async (path) => {
        asked.push({ path });
        return { rows: [] };
      },
      post: async (path, body) => {
        asked.push({ path, body });
        return { answer };
      },
    },
    print: (text) => printed.push(text),
    ...(consent !== undefined && { askConsent: consent }),
    detect: async () => {
      throw new Error('not asked');
    },
    urls: { base: 'http://api', ingest: 'http://ingest' } as never,
  });
  program.exitOverride();
  return { asked, printed, run: (...args: string[]) => program.parseAsync(args, { from: 'user' }) };
}

const place = ['--website', 'w', '--property', 'sc-domain:example.com'];

describe('connect', () => {
  test('sends only the two necessary fields of a service account key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loglane-connect-'));
    const file = join(folder, 'key.json');
    await writeFile(file, JSON.stringify({ client_email: 'a@b', private_key: 'k', project_id: 'p' }));
    const { asked, run } = world();
    await run('connect', 'search-console', ...place, '--service-account', file);
    const credential = { type: 'service_account', clientEmail: 'a@b', privateKey: 'k' };
    expect(asked).toEqual([
      {
        path: '/connections',
        body: {
          websiteId: 'w',
          kind: 'google-search-console',
          property: 'sc-domain:example.com',
          credential,
        },
      },
    ]);
    await writeFile(file, '{}');
    await expect(run('connect', 'search-console', ...place, '--service-account', file)).rejects.toThrow(
      'expected the JSON key',
    );
    await rm(folder, { recursive: true });
  });

  test('accepts an Analytics property in the notation of Google, with a name and consent for reading', async () => {
    const consent = { type: 'oauth', clientId: 'id', clientSecret: 's', refreshToken: 'r' } as const;
    const scopes: string[] = [];
    const { asked, run } = world({}, async ({ scope }) => {
      scopes.push(scope);
      return consent;
    });
    const property = ['--property', 'properties/123456789', '--name', 'Shop'];
    const client = ['--client-id', 'id', '--client-secret', 's'];
    await run('connect', 'google-analytics', '--website', 'w', ...property, ...client);
    await run('connect', 'sync', 'analytics', '--website', 'w');
    expect(scopes).toEqual(['https://www.googleapis.com/auth/analytics.readonly']);
    expect(asked).toEqual([
      {
        path: '/connections',
        body: {
          ...{ websiteId: 'w', kind: 'google-analytics', property: '123456789', propertyName: 'Shop' },
          credential: consent,
        },
      },
      { path: '/jobs', body: { kind: 'analytics_sync', websiteId: 'w' } },
    ]);
  });

  test('connects Bing with an API key, lists, requests a sync and disconnects', async () => {
    const { asked, run } = world();
    await run('connect', 'bing', '--website', 'w', '--property', 'https://a.example/', '--api-key', 'k');
    await run('connect', 'list', 'w');
    await run('connect', 'sync', '--website', 'w');
    await run('disconnect', 'bing-webmaster', '--website', 'w');
    expect(asked).toEqual([
      {
        path: '/connections',
        body: {
          ...{ websiteId: 'w', kind: 'bing-webmaster', property: 'https://a.example/' },
          credential: { type: 'api_key', apiKey: 'k' },
        },
      },
      { path: '/connections?filter=w' },
      { path: '/jobs', body: { kind: 'search_sync', websiteId: 'w' } },
      { path: '/commands', body: { type: 'disconnectSource', websiteId: 'w', kind: 'bing-webmaster' } },
    ]);
  });
});

describe('consent', () => {
  const client = { clientId: 'id', clientSecret: 'hush', scope: 'https://scope.example/read' };

  /** Plays a browser that opens the printed address and returns with these parameters. */
  function comeBack(change: (back: URLSearchParams) => void, asked: URLSearchParams[] = []) {
    return (text: string) => {
      const { searchParams } = new URL(text.split('\n\n')[1]!);
      asked.push(searchParams);
      const back = new URLSearchParams({ code: 'c', state: searchParams.get('state')! });
      change(back);
      void fetch(`${searchParams.get('redirect_uri')}/?${back}`);
    };
  }

  test('exchanges the code of the browser for a refresh token, with PKCE', async () => {
    const asked: URLSearchParams[] = [];
    const sent: URLSearchParams[] = [];
    const credential = await askConsent({
      ...client,
      print: comeBack(() => {}, asked),
      fetch: (async (_url: unknown, init: RequestInit) => {
        sent.push(new URLSearchParams(String(init.body)));
        return Response.json({ access_token: 'a', refresh_token: 'r', expires_in: 3600 });
      }) as never,
    });
    expect(credential).toEqual({ type: 'oauth', clientId: 'id', clientSecret: 'hush', refreshToken: 'r' });
    expect(Object.fromEntries(asked[0]!)).toMatchObject({
      ...{ access_type: 'offline', code_challenge_method: 'S256', scope: client.scope },
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    expect(sent[0]!.get('code')).toBe('c');
    const verifier = sent[0]!.get('code_verifier')!;
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(verifier));
    expect(Buffer.from(digest).toString('base64url')).toBe(asked[0]!.get('code_challenge'));
  });

  test('refuses a code without the state that was sent', async () => {
    const consent = askConsent({
      ...client,
      patienceMs: 300,
      print: comeBack((back) => back.set('state', 'other')),
    });
    await expect(consent).rejects.toThrow('no consent within the time limit');
  });

  test('survives requests whose target is not a URL', async () => {
    const consent = askConsent({
      ...client,
      print: async (text) => {
        const back = new URL(new URL(text.split('\n\n')[1]!).searchParams.get('redirect_uri')!);
        for (const target of ['//', 'http://[', '/%zz?%zz']) {
          const socket = connect(Number(back.port), back.hostname);
          socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
          await once(socket.resume(), 'close');
        }
        comeBack((given) => given.delete('code'))(text);
      },
    });
    await expect(consent).rejects.toThrow('no consent was given');
  });

  test('reports refused consent', async () => {
    const consent = askConsent({ ...client, print: comeBack((back) => back.delete('code')) });
    await expect(consent).rejects.toThrow('no consent was given');
  });
});
