import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { build } from '../../deploy/build/build.mjs';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';

/** From `npm start` to a session, over HTTP as a browser does it. */

let dataDir: string;
let program: Standalone;
let ports: { apiPort: number; ingestPort: number };
const ofPage = { 'X-Loglane-Console': '1', 'Content-Type': 'application/json' };

beforeAll(async () => {
  // `npm test` has built already; only built programs have a console.
  expect(await build(process.cwd())).toBe(true);
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-console-'));
  ports = { apiPort: await freePort(), ingestPort: await freePort() };
  program = await startStandalone({ dataDir, ...ports });
}, 180_000);
afterAll(async () => {
  await program?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The newest link that the program has printed: its address without the fragment, and the token. */
async function printedLink(): Promise<[page: string, token: string]> {
  const [, page, token] = await vi.waitFor(() => /(http:\S+\/sign-in)#(\S+)/.exec(program.output())!.slice());
  return [page!, token!];
}

const url = (path: string) => `${program.credentials.base_url}${path}`;

const signIn = (token: string) =>
  fetch(url('/console/sign-in'), {
    method: 'POST',
    // The server knows itself by this address (PUBLIC_API_URL is not set).
    headers: { ...ofPage, Origin: program.credentials.base_url },
    body: JSON.stringify({ token }),
  });

it('the printed link opens a page, whose files are there in compressed form', async () => {
  const [page] = await printedLink();
  const answer = await fetch(page, { headers: { Accept: 'text/html' } });
  const text = await answer.text();
  expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'self'");
  const scripts = [...text.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  expect(scripts.length).toBeGreaterThan(0);
  // The policy would block both.
  expect(text).not.toMatch(/<style| style=|<script(?![^>]* src=)/);
  for (const path of scripts) {
    const file = await fetch(url(path), { headers: { 'Accept-Encoding': 'br' } });
    expect([file.status, file.headers.get('Cache-Control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect((await file.text()).length).toBeGreaterThan(0);
  }
});

it('the token becomes a session once, which a restart does not end and a sign-out does', async () => {
  const [, token] = await printedLink();
  const answer = await signIn(token);
  expect(await answer.json()).toMatchObject({ role: 'owner', demo: true });
  expect((await signIn(token)).status).toBe(404);
  const [cookie] = answer.headers.get('Set-Cookie')!.split(';');
  const headers = { Cookie: cookie! };
  const websites = () => fetch(url('/public/v1/websites'), { headers });
  expect((await websites()).status).toBe(200);

  await program.kill();
  program = await startStandalone({ dataDir, ...ports });
  expect((await websites()).status).toBe(200);
  expect((await printedLink())[1]).not.toBe(token);

  const out = { method: 'POST', headers: { ...headers, ...ofPage, Origin: program.credentials.base_url } };
  expect((await fetch(url('/console/sign-out'), out)).status).toBe(200);
  expect((await websites()).status).toBe(401);
  expect(program.output()).not.toContain(cookie!.split('=')[1]);
}, 180_000);

it('CONSOLE=false leaves neither page nor link', async () => {
  await program.stop();
  program = await startStandalone({ dataDir, ...ports, environment: { CONSOLE: 'false' } });
  await vi.waitFor(() => expect(program.output()).toContain('Loglane is ready'));
  expect(program.output()).not.toContain('sign-in');
  const answer = await fetch(url('/'), { redirect: 'manual' });
  expect(answer.headers.get('Location')).toBe('./public/v1/docs');
  expect((await signIn('x')).status).toBe(404);
}, 180_000);
