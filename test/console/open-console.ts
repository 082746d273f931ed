import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { build } from '../../deploy/build/build.mjs';
import { findChromium } from '../harness/chromium.js';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';

/** null: this machine has no browser, and tests of the console are skipped. */
export const executable = findChromium();

/** A program of its own with a browser. */
export interface OpenConsole {
  readonly dataDir: string;
  readonly program: Standalone;
  readonly browser: Browser;
  /** Errors of the watched pages. A test may empty it. */
  readonly complaints: string[];
  /** The one-time link of the first start. */
  signInLink(): Promise<string>;
  /** Sends requests of the first website, a minute ago. */
  send(requests: readonly Record<string, unknown>[]): Promise<void>;
  close(): Promise<void>;
}

/** Builds the console from the sources, and starts a program without traffic. */
export async function openConsole(): Promise<OpenConsole> {
  expect(await build(process.cwd())).toBe(true);
  const dataDir = await mkdtemp(join(tmpdir(), 'loglane-console-'));
  const program = await startStandalone({
    dataDir,
    apiPort: await freePort(),
    ingestPort: await freePort(),
  });
  const browser = await chromium.launch({ executablePath: executable!, args: ['--no-sandbox'] });
  return {
    ...{ dataDir, program, browser },
    complaints: [],
    signInLink: () => vi.waitFor(() => /http:\S+\/sign-in#\S+/.exec(program.output())![0]),
    async send(requests) {
      const timestamp = new Date(Date.now() - 60_000).toISOString();
      const all = { timestamp, method: 'GET', host: 'example.com', client_ip: '203.0.113.77' };
      const answer = await fetch(program.credentials.ingest_url, {
        method: 'POST',
        headers: { 'X-API-Key': program.credentials.ingest_key },
        body: requests.map((request) => JSON.stringify({ ...all, ...request })).join('\n'),
      });
      expect(answer.status).toBe(200);
    },
    async close() {
      await browser.close();
      await program.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Collects the errors of a page. @param isExpected of messages that the browser itself logs */
export function watch(
  page: Page,
  { complaints }: Pick<OpenConsole, 'complaints'>,
  isExpected = (_message: string) => false,
): void {
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message.text()))
      complaints.push(`${page.url()}: ${message.text()}`);
  });
}
