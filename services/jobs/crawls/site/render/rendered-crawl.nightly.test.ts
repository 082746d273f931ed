import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../../../../test/harness/chromium.js';
import { ORIGIN, startCrawlWorld } from '../../../../../test/harness/jobs/crawl-world.js';
import type { SiteAnswer } from '../../../../../test/harness/site/faulty-pages.js';
import { createChromiumRenderer } from './chromium-renderer.js';

/** Crawls whose pages run in a real browser. A page has ten seconds, which may be too few on a busy machine: each is tried twice. */

const executable = findChromium();
const logger = pino({ level: 'silent' });

describe.skipIf(executable === null)(
  'a crawl that runs the scripts of pages',
  { timeout: 120_000, retry: 1 },
  () => {
    let world: Awaited<ReturnType<typeof startCrawlWorld>>;
    /** Connections to this machine that bypass the fetcher. */
    const strays: string[] = [];
    const inner = createServer((socket) => {
      strays.push('tcp');
      socket.destroy();
    });
    const udp = createSocket('udp4', () => strays.push('udp'));
    let innerPort = 0;

    beforeAll(async () => {
      world = await startCrawlWorld();
      await new Promise<void>((done) => inner.listen(0, '127.0.0.1', done));
      innerPort = (inner.address() as { port: number }).port;
      await new Promise<void>((done) => udp.bind(innerPort, '127.0.0.1', done));
    });
    afterAll(async () => {
      inner.close();
      udp.close();
      await world?.stop();
    });

    const html = (body: string): SiteAnswer => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: `<html><head><title>Plain</title></head><body>${body}</body></html>`,
    });
    const script = (body: string): SiteAnswer => ({
      status: 200,
      headers: { 'content-type': 'text/javascript' },
      body,
    });
    const renderer = {
      openRenderer: (load: Parameters<typeof createChromiumRenderer>[0]['load']) =>
        createChromiumRenderer({ executable: executable!, sandbox: process.getuid?.() !== 0, load, logger }),
    };

    async function crawl(answers: Readonly<Record<string, SiteAnswer>>, renderJs = true) {
      const byPlace = new Map(Object.entries(answers));
      const asked = world.newCrawl({ renderJs });
      const { outcome, requests } = await world.crawl(
        { answer: (place) => byPlace.get(place) ?? { status: 404 } },
        asked,
        { parts: renderer },
      );
      const pages = await world.pages(asked);
      const page = (path: string) => pages.find(({ url }) => url === `${ORIGIN}${path}`);
      return { outcome, requests, page };
    }

    const app = `fetch('/data.json').then((r) => r.json()).then(({ names }) => {
    document.title = 'Made by a script';
    document.body.innerHTML = names.map((name) => '<a href="/' + name + '">the page ' + name + '</a> ').join('');
  })`;
    const built = {
      '/': html('<script src="/app.js"></script>'),
      '/app.js': script(app),
      '/data.json': {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"names":["a","b"]}',
      },
      '/a': html('<p>one two three</p><script src="/app.js"></script>'),
      '/b': html('<p>one</p>'),
    };

    test('finds words, titles and links that scripts make, and fetches each script once', async () => {
      const { outcome, page, requests } = await crawl(built);
      expect(outcome).toEqual({ outcome: 'ready' });
      expect(page('/')).toMatchObject({ title: 'Made by a script', words: 6, links_internal: 2 });
      expect(page('/b')).toMatchObject({ status: 200, title: 'Plain', words: 1 });
      expect(requests.filter((place) => place === '/app.js')).toHaveLength(1);
    });

    test('finds none of them without rendering', async () => {
      const { page } = await crawl(built, false);
      expect(page('/')).toMatchObject({ title: 'Plain', words: 0, links_internal: 0 });
      expect(page('/a')).toBeUndefined();
    });

    test('follows no redirect to a script that robots.txt disallows', async () => {
      const { requests, page } = await crawl({
        '/robots.txt': { status: 200, body: 'User-agent: *\nDisallow: /private/' },
        '/': html('<script src="/moved.js"></script><script src="/old.js"></script>'),
        '/moved.js': { status: 302, headers: { location: '/private/app.js' } },
        '/old.js': { status: 301, headers: { location: '/new.js' } },
        '/new.js': script('document.title = "New"'),
        '/private/app.js': script('document.title = "Private"'),
      });
      expect(requests).not.toContain('/private/app.js');
      expect(page('/')).toMatchObject({ title: 'New' });
    });

    test('fetches no script that robots.txt disallows, and no image', async () => {
      const { requests, page } = await crawl({
        '/robots.txt': { status: 200, body: 'User-agent: *\nDisallow: /app.js' },
        ...{ '/': html('<img src="/big.png"><script src="/app.js"></script>'), '/app.js': script(app) },
      });
      expect(requests.filter((place) => place === '/app.js' || place === '/big.png')).toEqual([]);
      expect(page('/')).toMatchObject({ status: 200, title: 'Plain' });
    });

    test.each([
      ['a script that never ends', '<script>for (;;) {}</script>'],
      [
        'a script that ends never and lets others run',
        '<script>setInterval(() => fetch("/x?" + Math.random()), 5)</script>',
      ],
      ['dialogs', '<script>alert(1); confirm(2); prompt(3); onbeforeunload = () => "no"</script>'],
      ['windows', '<script>for (let i = 0; i < 20; i++) open("/other" + i)</script>'],
      ['a page that leaves', '<script>location = "/elsewhere"</script>'],
      ['a refresh', '<meta http-equiv="refresh" content="0;url=/elsewhere">'],
      [
        'frames',
        '<script>for (let i = 0; i < 50; i++) document.body.append(document.createElement("iframe")), document.body.lastChild.src = "/frame" + i</script>',
      ],
      [
        'functions that are not what they were',
        '<script>Object.defineProperty(Element.prototype, "outerHTML", { get: () => "<title>lie</title>" }); JSON.stringify = () => "x"</script>',
      ],
      ['memory without end', '<script>const a = []; for (;;) a.push(new Array(1e6).fill(a.length))</script>'],
      [
        'a document without end',
        '<script>for (let i = 0; i < 3e5; i++) document.body.append("word ".repeat(20))</script>',
      ],
      ['no document', '<script>document.documentElement.remove()</script>'],
    ])('comes to its end with %s, and with the pages after it', async (_name, body) => {
      const { outcome, page } = await crawl({
        '/': html(`<p>here</p><a href="/next">next</a>${body}`),
        '/next': html('<script>document.title = "Next"</script>'),
      });
      expect(outcome).toEqual({ outcome: 'ready' });
      expect(page('/')).toMatchObject({ status: 200 });
      expect(page('/')!.title).not.toBe('lie');
      expect(page('/next')).toMatchObject({ status: 200, title: 'Next' });
      for (const left of ['/elsewhere', '/other0', '/frame0']) expect(page(left)).toBeUndefined();
    });

    test('lets no page reach a private address, by any means of the browser', async () => {
      const at = `127.0.0.1:${innerPort}`;
      const tries = [
        `fetch('http://${at}/', { mode: 'no-cors' })`,
        `new WebSocket('ws://${at}/')`,
        `new EventSource('http://${at}/')`,
        `navigator.sendBeacon('http://${at}/', 'x')`,
        `new Image().src = 'http://${at}/'`,
        `new Worker(URL.createObjectURL(new Blob(["fetch('http://${at}/', { mode: 'no-cors' }); new WebSocket('ws://${at}/')"])))`,
        `navigator.serviceWorker?.register('/worker.js')`,
        `open('http://${at}/')`,
        `document.body.insertAdjacentHTML('beforeend', '<iframe src="http://${at}/"></iframe><link rel="preconnect" href="http://${at}/"><link rel="prefetch" href="http://${at}/"><object data="http://${at}/"></object><form action="http://${at}/" method="post"></form><video src="http://${at}/"></video>')`,
        `document.forms[0].submit()`,
        `new WebTransport('https://${at}/')`,
        `const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${at}' }, { urls: ['turn:${at}', 'turn:${at}?transport=tcp'], username: 'a', credential: 'b' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))`,
      ];
      const { outcome, page } = await crawl({
        '/': html(
          `<a href="/next">n</a><script>${tries.map((one) => `try { ${one} } catch {}`).join('\n')}</script>`,
        ),
        '/next': html('next'),
        '/worker.js': script(`fetch('http://${at}/')`),
      });
      expect(outcome).toEqual({ outcome: 'ready' });
      expect(page('/next')).toMatchObject({ status: 200 });
      expect(strays).toEqual([]);
    });

    test('a missing or crashing browser costs no page', async () => {
      const asked = world.newCrawl({ renderJs: true });
      const { outcome } = await world.crawl({ answer: () => html('plain words') }, asked, {
        parts: {
          openRenderer: (load) =>
            createChromiumRenderer({ executable: '/nowhere/chromium', sandbox: false, load, logger }),
        },
      });
      expect(outcome).toEqual({ outcome: 'ready' });
      expect((await world.pages(asked))[0]).toMatchObject({ status: 200, words: 2 });
    });
  },
);
