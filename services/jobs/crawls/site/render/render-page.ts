import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { SECOND_MS } from '../../../../../shared/durations.js';
import { within } from '../../../../../shared/pacing/in-time.js';
import { createLimiter } from '../../../../../shared/pacing/limiter.js';
import type { LoadResource } from './page-renderer.js';

/** Renders one page in a running browser and reads the result. */

/** For loading and running its scripts. */
const LONGEST_MS = 10 * SECOND_MS;
/** The page is complete after this time without requests. */
const QUIET_MS = 400;
const STEP_MS = 40;
/** For reading the page: one with an endless script does not respond. */
const READ_MS = 3 * SECOND_MS;
const MOST_REQUESTS = 80;
const MOST_BYTES = 10 * 1024 ** 2;
/** Limits the requests under way when a page reaches its limit of bytes. */
const LOADS_AT_ONCE = 4;
const MOST_CHARACTERS = 2 * 1024 ** 2;

const LOADED = new Set(['script', 'xhr', 'fetch', 'stylesheet']);

export interface RenderedPage {
  readonly html: string;
  /** The browser has closed the page; false: the page keeps it busy. */
  readonly isGone: boolean;
}

/** @throws the browser's error if the page could not be rendered; the signal's reason */
export async function renderPage(
  browser: Browser,
  { url, html }: { readonly url: string; readonly html: string },
  { load, signal }: { readonly load: LoadResource; readonly signal: AbortSignal },
): Promise<RenderedPage> {
  const context = await browser.newContext({ serviceWorkers: 'block', acceptDownloads: false });
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  setMaxListeners(2 * MOST_REQUESTS, until);
  const leave = () =>
    inTime(context.close()).then(
      () => true,
      () => false,
    );
  try {
    const page = await context.newPage();
    const network = createNetwork({ url, html }, page, { load, signal: until });
    await shut(context, page);
    await context.route('**/*', (route) => network.answer(route));
    await page.goto(url, { waitUntil: 'commit', timeout: LONGEST_MS });
    const deadline = Date.now() + LONGEST_MS;
    while (Date.now() < deadline && !network.isQuiet(QUIET_MS)) await sleep(STEP_MS, undefined, { signal });
    const rendered = await readDom(page, url);
    ended.abort(new Error('The page was rendered'));
    return { html: rendered, isGone: await leave() };
  } catch (error) {
    ended.abort(new Error('The page was given up'));
    await leave();
    throw error;
  }
}

/** Closes sockets, windows and dialogs of the page. */
async function shut(context: BrowserContext, page: Page): Promise<void> {
  await context.routeWebSocket(/.*/, (socket) => socket.close());
  context.on('page', (other) => {
    if (other !== page) other.close().catch(() => {});
  });
  page.on('dialog', (dialog) => {
    dialog.dismiss().catch(() => {});
  });
}

function createNetwork(
  document: { readonly url: string; readonly html: string },
  page: Page,
  { load, signal }: { readonly load: LoadResource; readonly signal: AbortSignal },
) {
  const limiter = createLimiter({ most: LOADS_AT_ONCE });
  let begun = false;
  let requests = 0;
  let bytes = 0;
  let open = 0;
  let lastAt = Date.now();

  async function resource(route: Route): Promise<void> {
    const asked = route.request();
    requests += 1;
    const isWanted = LOADED.has(asked.resourceType()) && asked.method() === 'GET';
    if (!isWanted || requests > MOST_REQUESTS || bytes > MOST_BYTES) return route.abort('blockedbyclient');
    // The layout does not matter, but scripts that wait for the style sheet must continue.
    if (asked.resourceType() === 'stylesheet')
      return route.fulfill({ status: 200, contentType: 'text/css', body: '' });
    const got = await limiter.run('', async () => (bytes > MOST_BYTES ? null : load(asked.url(), signal)));
    if (got === null) return route.abort('failed');
    bytes += got.body.length;
    return route.fulfill({ status: got.status, headers: { ...got.headers }, body: got.body });
  }

  return {
    async answer(route: Route): Promise<void> {
      open += 1;
      try {
        const asked = route.request();
        const isFirst = !begun && asked.isNavigationRequest() && asked.frame() === page.mainFrame();
        if (isFirst) {
          begun = true;
          await route.fulfill({ status: 200, contentType: 'text/html; charset=utf-8', body: document.html });
        } else if (asked.isNavigationRequest()) await route.abort('aborted');
        else await resource(route);
      } catch {
        // The page is closed, or its request was cancelled.
        await route.abort('failed').catch(() => {});
      } finally {
        open -= 1;
        lastAt = Date.now();
      }
    },
    isQuiet: (ms: number) => open === 0 && Date.now() - lastAt >= ms,
  };
}

/** Reads in an isolated world: functions that the page has replaced change nothing there. */
async function readDom(page: Page, url: string): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await inTime(session.send('Page.getFrameTree'));
  const world = await inTime(
    session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'loglane' }),
  );
  const { result } = await inTime(
    session.send('Runtime.evaluate', {
      // The browser's own pages, such as warnings, are not the page.
      expression: `location.origin === ${JSON.stringify(new URL(url).origin)} ? document.documentElement.outerHTML.slice(0, ${MOST_CHARACTERS}) : null`,
      contextId: world.executionContextId,
      returnByValue: true,
      timeout: READ_MS,
    }),
  );
  if (typeof result.value !== 'string') throw new Error('The page has no document');
  return result.value;
}

function inTime<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return within(work, READ_MS, () => new Error('The page does not answer'));
}
