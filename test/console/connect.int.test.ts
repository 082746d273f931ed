import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  discoverOAuthServerInfo,
  exchangeAuthorization,
  refreshAuthorization,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/client';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFaults, overflowOf } from './console-page.js';
import { executable, type OpenConsole, openConsole, watch } from './open-console.js';

/** A client on this device is connected by a person with a browser, over HTTP. */

const NAME = '<img src=x onerror="document.title=1">\u202eedualC';

let own: OpenConsole;
let context: BrowserContext;
let page: Page;
let client: Server;
let arrived: URLSearchParams | null = null;

beforeAll(async () => {
  if (executable === null) return;
  own = await openConsole();
  client = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://127.0.0.1');
    if (pathname === '/callback') arrived = searchParams;
    response.end('done');
  }).listen(0, '127.0.0.1');
  context = await own.browser.newContext({ viewport: { width: 400, height: 900 } });
  page = await context.newPage();
  // Before the person signs in, the browser logs a refused call.
  watch(page, own, (message) => message.includes('401'));
}, 240_000);

afterAll(async () => {
  client?.close();
  await own?.close();
});

const isCallback = ({ pathname }: URL) => pathname === '/callback';

test.skipIf(executable === null)(
  'a person signs in in another tab, allows the client, and revokes it in the settings',
  async () => {
    const { program, complaints } = own;
    const base = program.credentials.base_url;
    const redirect = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`;
    const { authorizationServerUrl, authorizationServerMetadata: metadata } = await discoverOAuthServerInfo(
      `${base}/mcp`,
    );
    const clientInformation = await registerClient(authorizationServerUrl, {
      metadata: metadata!,
      clientMetadata: { redirect_uris: ['http://127.0.0.1/callback'], client_name: NAME },
    });
    const common = { metadata: metadata!, clientInformation };
    const begin = () =>
      startAuthorization(authorizationServerUrl, { ...common, redirectUrl: redirect, state: 'a b&c' });
    const { authorizationUrl, codeVerifier } = await begin();

    await page.goto(authorizationUrl.href);
    await page.waitForSelector('text=Sign in first');
    expect(await axeFaults(page)).toEqual([]);
    const other = await context.newPage();
    await other.goto(await own.signInLink());
    await other.waitForSelector('nav');

    await page.waitForSelector('form', { timeout: 20_000 });
    // The name is text, without the characters that would turn it around.
    expect(await page.textContent('.client-name')).toBe('<img src=x onerror="document.title=1">edualC');
    expect(await page.textContent('form .facts')).toContain(`a program on this device (127.0.0.1:`);
    expect(await page.title()).toBe('Loglane');
    expect(await axeFaults(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(1);
    await page.check('input[value="read_write"]');
    await page.click('button[type="submit"]');
    await page.waitForURL(isCallback);
    expect(arrived!.get('state')).toBe('a b&c');
    const tokens = await exchangeAuthorization(authorizationServerUrl, {
      ...common,
      authorizationCode: arrived!.get('code')!,
      iss: arrived!.get('iss')!,
      codeVerifier,
      redirectUri: redirect,
    });
    expect(tokens.scope).toBe('read read_write');

    // Another request, which the person denies.
    arrived = null;
    await page.goto((await begin()).authorizationUrl.href);
    await page.click('text=Deny');
    await page.waitForURL(isCallback);
    expect(arrived!.get('error')).toBe('access_denied');

    await page.goto(`${base}/settings?tab=connections`);
    const row = page.locator('section[aria-label="Keys, sessions and clients"] tr', {
      hasText: 'connected client',
    });
    await row.locator('text=read and write').waitFor();
    await row.locator('button:has-text("revoke")').click();
    await row.locator('button:has-text("revoke: sure?")').click();
    await row.waitFor({ state: 'detached' });
    await expect(
      refreshAuthorization(authorizationServerUrl, { ...common, refreshToken: tokens.refresh_token! }),
    ).rejects.toThrow('revoked');
    expect(complaints).toEqual([]);
    expect(program.output()).not.toContain(tokens.access_token);
  },
  120_000,
);
