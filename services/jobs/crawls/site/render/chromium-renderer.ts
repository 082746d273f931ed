import { tmpdir } from 'node:os';
import type { Browser } from 'playwright-core';
import { SECOND_MS } from '../../../../../shared/durations.js';
import type { Logger } from '../../../../../shared/logging/log.js';
import { createLimiter } from '../../../../../shared/pacing/limiter.js';
import { browserArgs } from './browser-args.js';
import type { LoadResource, PageRenderer } from './page-renderer.js';
import { renderPage } from './render-page.js';

export interface ChromiumOptions {
  /** The path of the browser that the operator has installed. */
  readonly executable: string;
  /** false: without Chromium's sandbox, for machines without user namespaces. */
  readonly sandbox: boolean;
  readonly load: LoadResource;
  readonly logger: Logger;
}

const START_MS = 30 * SECOND_MS;
/** After so many pages the browser is replaced, to free what the pages left in it. */
const PAGES_OF_ONE = 200;
const AT_ONCE = 2;

interface Running {
  readonly browser: Promise<Browser>;
  pages: number;
  open: number;
}

/** One browser per crawl, started by its first page. A page that hangs the browser costs only that browser: the next page gets another. */
export function createChromiumRenderer({ executable, sandbox, load, logger }: ChromiumOptions): PageRenderer {
  const counts = { rendered: 0, failed: 0 };
  const limiter = createLimiter({ most: AT_ONCE });
  let running: Running | null = null;

  function current() {
    if (running !== null && running.pages < PAGES_OF_ONE) return running;
    running = { browser: start(), pages: 0, open: 0 };
    running.browser.catch(() => {});
    return running;
  }

  async function start(): Promise<Browser> {
    // Loaded when it is used, because the client takes much memory.
    const { chromium } = await import('playwright-core');
    return chromium.launch({
      ...{ executablePath: executable, chromiumSandbox: sandbox, args: [...browserArgs] },
      ...{ headless: true, timeout: START_MS },
      // The browser must not get this process's environment, which has secrets.
      env: { HOME: tmpdir(), PATH: process.env.PATH ?? '' },
    });
  }

  /** Open pages may end in the old browser; the next page starts another. */
  const replace = (one: Running) => {
    if (running === one) running = null;
  };

  async function renderOnce(url: string, html: string, signal: AbortSignal): Promise<string | null> {
    const mine = current();
    mine.pages += 1;
    mine.open += 1;
    try {
      const rendered = await renderPage(await mine.browser, { url, html }, { load, signal });
      if (!rendered.isGone) replace(mine);
      counts.rendered += 1;
      return rendered.html;
    } catch (error) {
      replace(mine);
      signal.throwIfAborted();
      counts.failed += 1;
      logger.info({ err: error, url }, 'a page could not be rendered');
      return null;
    } finally {
      mine.open -= 1;
      if (mine !== running && mine.open === 0) await end(mine);
    }
  }

  return {
    render: (url, html, signal) =>
      limiter.run('', async () => {
        signal.throwIfAborted();
        return renderOnce(url, html, signal);
      }),
    counts: () => ({ ...counts }),
    async close() {
      const last = running;
      running = null;
      if (last !== null) await end(last);
    },
  };
}

/** A browser that never started needs no end. */
async function end({ browser }: Running): Promise<void> {
  await browser.then((started) => started.close()).catch(() => {});
}
