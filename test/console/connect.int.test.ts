import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  discoverOAuthServerInfo,
  exchangeAuthorization,
  refreshAuthorization,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/client';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { build } from '../../deploy/build/build.mjs';
import { findChromium } from '../harness/chromium.js';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';
import { axeFaults, overflowOf } from './console-page.js';

/** A client on this device is connected by a person with a browser, over HTTP. */

const executable = findChromium();
const NAME = '<img src=x onerror="document.title=1">\u202eedualC';

let dataDir: string;
let program: Standalone;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let client: Server;
let arrived: URLSearchParams | null = null;
const complaints: string[] = [];

beforeAll(async () => {
  if (executable === null) return;
  expect(await build(process.cwd())).toBe(true);
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-connect-'));
  program = await startStandalone({ dataDir, apiPort: await freePort(), ingestPort: await freePort() });
  client = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://127.0.0.1');
    if (pathname === '/callback') arrived = searchParams;
    response.end('done');
  }).listen(0, '127.0.0.1');
  browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox'] });
  context = await browser.newContext({ viewport: { width: 400, height: 900 } });
  page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
}, 240_000);

afterAll(async () => {
  await browser?.close();
  client?.close();
  await program?.stop();
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

const isCallback = ({ pathname }: URL) => pathname === '/callback';

test.skipIf(executable === null)(
  'a person signs in in another tab, allows the client, and revokes it in the settings',
  async () => {
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
    await other.goto(await vi.waitFor(() => /http:\S+\/sign-in#\S+/.exec(program.output())![0]));
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
