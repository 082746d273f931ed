import pino from 'pino';
import { Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { createControlLog } from '../../../test/harness/control-log.js';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import type { Assignment } from '../runner/assignments.js';
import { type FetchPages, MOST_CRAWL_ATTEMPTS } from './attempt-crawl.js';
import { type CrawlWorker, createCrawlWorker } from './crawl-worker.js';

/** The state that survives a process: the log, and the store's statements. */
interface World {
  readonly log: ReturnType<typeof createControlLog>;
  readonly commands: string[];
  at: number;
}

const createWorld = (): World => ({
  log: createControlLog(),
  commands: [],
  at: Date.parse('2026-11-21T12:00:00Z'),
});

const workers: CrawlWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

const counts = {
  ...{ urlCount: 9, indexableCount: 8, status200: 8, unlinkedCount: 1, maxDepth: 3 },
  auditSummary: { high: 1, medium: 2, low: 3 },
};
const changes = {
  ...{ new: 1, gone: 2, statusChanged: 3, titleChanged: 4, canonicalChanged: 5, indexableChanged: 6 },
};

const found: FetchPages = async () => ({ outcome: 'ready' });
/** Runs until it is aborted. */
const hangs: FetchPages = (_crawl, _store, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

interface Wishes {
  readonly fetchPages?: FetchPages;
  readonly judgePages?: () => Promise<typeof counts>;
  readonly owns?: (websiteId: string) => boolean;
  readonly places?: number;
  /** The process is dead: its decisions do not reach the log. */
  readonly isDead?: () => boolean;
}

async function start(world: World, wishes: Wishes = {}) {
  const { fetchPages = found, judgePages = async () => counts, owns = () => true, places = 2 } = wishes;
  const { control: plane } = await openTestPlane({ log: world.log, now: () => world.at });
  const control = {
    state: () => plane.state(),
    execute: ((...call: Parameters<ControlPlane['execute']>) =>
      wishes.isDead?.() === true
        ? Promise.reject(new Error('killed'))
        : plane.execute(...call)) as ControlPlane['execute'],
  };
  const assignment: Assignment = { partition: 0, isReady: true, leaving: new AbortController() };
  const clickhouse = {
    read: async () => [changes],
    command: async (sql: string, params: Record<string, string>) =>
      void world.commands.push(`${/ALTER TABLE \w+ \w+/.exec(sql)![0]} ${params.crawl_id}`),
  } as unknown as ClickHouse;
  const worker = createCrawlWorker({
    ...{ control, clickhouse, fetchPages, judgePages, places },
    assignmentOf: (id) => (owns(id) ? assignment : undefined),
    now: () => world.at,
    logger: pino({ level: 'silent' }),
    registry: new Registry(),
  });
  workers.push(worker);
  const statusOf = (id: string) => plane.state().crawls.get(id)?.status;
  return { worker, plane, assignment, statusOf };
}

async function openWebsite(control: ControlPlane, name = 'shop', organisation?: string) {
  const organisationId =
    organisation ??
    granted(await control.execute({ type: 'createOrganisation', name, planId: 'scale' }, 'admin')).id;
  const domain = `${name}.example`;
  return granted(await control.execute({ type: 'createWebsite', organisationId, domain }, 'admin')).website;
}

async function ask(control: ControlPlane, websiteId: string) {
  const asked = { type: 'requestCrawl', websiteId, trigger: 'manual' } as const;
  return granted(await control.execute(asked, 'admin'));
}

/** Waits until the condition is true, for at most ten seconds. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds() && tries < 1_000; tries++) await new Promise((turn) => setTimeout(turn, 10));
  expect(holds()).toBe(true);
}

const removed = (id: string) =>
  ['crawl_links', 'crawl_findings', 'crawl_ranks', 'crawl_pages'].map(
    (table) => `ALTER TABLE ${table} DELETE ${id}`,
  );

test('a requested crawl is fetched, judged and ready; the next one also has the changes', async () => {
  const world = createWorld();
  const asked: unknown[] = [];
  const { worker, plane, statusOf } = await start(world, {
    fetchPages: async ({ domain, maxPages }) => {
      asked.push({ domain, maxPages });
      return { outcome: 'ready' };
    },
  });
  const website = await openWebsite(plane);
  const first = await ask(plane, website.id);
  worker.scan();
  await until(() => statusOf(first.id) === 'ready');
  expect(asked).toEqual([{ domain: 'shop.example', maxPages: 5_000 }]);
  expect(plane.state().crawls.get(first.id)).toMatchObject({ counts, delta: null, attempts: 1 });
  world.at += 60_000;
  const second = await ask(plane, website.id);
  worker.scan();
  await until(() => statusOf(second.id) === 'ready');
  expect(plane.state().crawls.get(second.id)?.delta).toEqual({
    ...{ previousCrawlId: first.id, new: 1, gone: 2, statusChanged: 3, titleChanged: 4 },
    ...{ canonicalChanged: 5, indexableChanged: 6 },
  });
  expect(world.commands).toEqual([]);
});

test.each(['blocked', 'failed'] as const)(
  'a crawl that is %s has the reason, and its rows are removed',
  async (outcome) => {
    const world = createWorld();
    const reason = 'The home page answers 403.';
    const { worker, plane, statusOf } = await start(world, { fetchPages: async () => ({ outcome, reason }) });
    const { id } = await ask(plane, (await openWebsite(plane)).id);
    worker.scan();
    await until(() => statusOf(id) === outcome && world.commands.length === 4);
    expect(plane.state().crawls.get(id)).toMatchObject({ error: reason, attempts: 1 });
    expect(world.commands).toEqual(removed(id));
  },
);

test('an attempt that fails is retried after a wait, and the third failure ends the crawl', async () => {
  const world = createWorld();
  let tries = 0;
  const judgePages = async () => {
    tries++;
    throw new Error('the engine is away');
  };
  const { worker, plane, statusOf } = await start(world, { judgePages });
  const { id } = await ask(plane, (await openWebsite(plane)).id);
  for (let attempt = 1; attempt < MOST_CRAWL_ATTEMPTS; attempt++) {
    worker.scan();
    await until(() => plane.state().crawls.get(id)?.notBefore != null);
    expect(statusOf(id)).toBe('queued');
    worker.scan();
    await new Promise((turn) => setTimeout(turn, 30));
    expect(tries).toBe(attempt);
    world.at = Date.parse(plane.state().crawls.get(id)!.notBefore!);
  }
  worker.scan();
  await until(() => statusOf(id) === 'failed');
  expect(tries).toBe(MOST_CRAWL_ATTEMPTS);
  expect(plane.state().crawls.get(id)!.error).toContain('none came to its end');
});

test('a replica that stops or loses the website returns the crawl: another continues it, and no attempt is used up', async () => {
  const world = createWorld();
  let id = '';
  for (let change = 1; change <= MOST_CRAWL_ATTEMPTS + 1; change++) {
    const { worker, plane, assignment } = await start(world, { fetchPages: hangs });
    if (id === '') id = (await ask(plane, (await openWebsite(plane)).id)).id;
    worker.scan();
    await until(() => plane.state().crawls.get(id)?.attempts === change);
    if (change % 2 === 0) assignment.leaving.abort();
    else await worker.stop();
    await until(() => plane.state().crawls.get(id)!.returned.length === change);
    expect(plane.state().crawls.get(id)!.status).toBe('queued');
    await worker.stop();
  }
  const { worker, statusOf } = await start(world);
  worker.scan();
  await until(() => statusOf(id) === 'ready');
  expect(world.commands).toEqual([]);
});

test('a crawl whose process was killed is continued, and fails if that happens too often', async () => {
  const world = createWorld();
  let id = '';
  for (let kill = 1; kill <= MOST_CRAWL_ATTEMPTS; kill++) {
    let isDead = false;
    const { worker, plane } = await start(world, { fetchPages: hangs, isDead: () => isDead });
    if (id === '') id = (await ask(plane, (await openWebsite(plane)).id)).id;
    worker.scan();
    await until(() => plane.state().crawls.get(id)?.attempts === kill);
    isDead = true;
    await worker.stop();
    expect(plane.state().crawls.get(id)!.status).toBe('processing');
  }
  const { worker, statusOf } = await start(world);
  worker.scan();
  await until(() => statusOf(id) === 'failed');
});

test('if two replicas both run a crawl of the website, the one that began first writes nothing more', async () => {
  const world = createWorld();
  let goOn = () => {};
  let refused: unknown = null;
  const late = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const fetchPages: FetchPages = async (_crawl, store) => {
    await late;
    await store.command('ALTER TABLE late INSERT', {}).catch((error: unknown) => {
      refused = error;
      throw error;
    });
    return { outcome: 'ready' };
  };
  const first = await start(world, { fetchPages });
  const { id } = await ask(first.plane, (await openWebsite(first.plane)).id);
  first.worker.scan();
  await until(() => first.statusOf(id) === 'processing');
  const second = await start(world, { fetchPages: hangs });
  second.worker.scan();
  await until(() => first.plane.state().crawls.get(id)?.attempts === 2);
  goOn();
  await until(() => refused !== null);
  expect(world.commands).toEqual([]);
  expect(second.statusOf(id)).toBe('processing');
});

test('a cancelled crawl ends while it runs, and its rows are removed', async () => {
  const world = createWorld();
  let ended = false;
  const fetchPages: FetchPages = (...given) =>
    hangs(...given).finally(() => {
      ended = true;
    });
  const { worker, plane, statusOf } = await start(world, { fetchPages });
  const { id, websiteId } = await ask(plane, (await openWebsite(plane)).id);
  worker.scan();
  await until(() => statusOf(id) === 'processing');
  granted(await plane.execute({ type: 'cancelCrawl', websiteId, crawlId: id }, 'admin'));
  worker.scan();
  await until(() => ended && world.commands.length === 4);
  expect(statusOf(id)).toBe('cancelled');
  expect(world.commands).toEqual(removed(id));
});

test('a website that is erased during its crawl has no rows, and no more are written', async () => {
  const world = createWorld();
  let late: unknown = null;
  const fetchPages: FetchPages = (crawl, store, signal) =>
    hangs(crawl, store, signal).catch(async (error: unknown) => {
      late = await store.command('ALTER TABLE late INSERT', {}).catch((refused: unknown) => refused);
      throw error;
    });
  const { worker, plane, statusOf } = await start(world, { fetchPages });
  const { id, websiteId } = await ask(plane, (await openWebsite(plane)).id);
  worker.scan();
  await until(() => statusOf(id) === 'processing');
  granted(await plane.execute({ type: 'eraseWebsite', websiteId }, 'admin'));
  worker.scan();
  await until(() => world.commands.length === 4);
  expect(world.commands).toEqual(removed(id));
  expect(late).toBeInstanceOf(Error);
});

test('organisations alternate in the places, and a place that only one of them needs is its own', async () => {
  const world = createWorld();
  const begun: string[] = [];
  const open: (() => void)[] = [];
  const fetchPages: FetchPages = async ({ domain }) => {
    begun.push(domain.split('.')[0]!);
    await new Promise<void>((free) => open.push(free));
    return { outcome: 'ready' };
  };
  const { worker, plane } = await start(world, { fetchPages, places: 2 });
  const a1 = await openWebsite(plane, 'a1');
  const a2 = await openWebsite(plane, 'a2', a1.organisationId);
  const a3 = await openWebsite(plane, 'a3', a1.organisationId);
  for (const website of [a1, a2, a3]) await ask(plane, website.id);
  worker.scan();
  await until(() => begun.length === 2);
  expect(begun).toEqual(['a1', 'a2']);
  await ask(plane, (await openWebsite(plane, 'b1')).id);
  worker.scan();
  open.shift()!();
  for (let tries = 0; begun.length < 3 && tries < 500; tries++) {
    await new Promise((turn) => setTimeout(turn, 10));
    worker.scan();
  }
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  for (const free of open) free();
});

test('an organisation that occupies every place for long leaves one to a waiting one, and continues after it', async () => {
  const world = createWorld();
  const begun: string[] = [];
  let isOver = false;
  const fetchPages: FetchPages = async (crawl, store, signal) => {
    begun.push(crawl.domain.split('.')[0]!);
    return isOver || crawl.domain.startsWith('b') ? { outcome: 'ready' } : hangs(crawl, store, signal);
  };
  const { worker, plane, statusOf } = await start(world, { fetchPages, places: 2 });
  const a1 = await openWebsite(plane, 'a1');
  const a2 = await openWebsite(plane, 'a2', a1.organisationId);
  const a3 = await openWebsite(plane, 'a3', a1.organisationId);
  const asked = [];
  for (const website of [a1, a2, a3]) asked.push(await ask(plane, website.id));
  worker.scan();
  await until(() => begun.length === 2);
  world.at += 16 * MINUTE_MS;
  worker.scan();
  await new Promise((turn) => setTimeout(turn, 30));
  expect(begun).toEqual(['a1', 'a2']);
  const { id } = await ask(plane, (await openWebsite(plane, 'b1')).id);
  await until(() => {
    worker.scan();
    return statusOf(id) === 'ready';
  });
  expect(begun.slice(0, 3)).toEqual(['a1', 'a2', 'b1']);
  expect(plane.state().crawls.get(asked[0]!.id)).toMatchObject({ attempts: 1, returned: [1] });
  isOver = true;
  await until(() => {
    worker.scan();
    return begun.length > 3;
  });
});

test('crawls of another replica are not touched', async () => {
  const world = createWorld();
  const { worker, plane, statusOf } = await start(world, { owns: () => false });
  const { id } = await ask(plane, (await openWebsite(plane)).id);
  worker.scan();
  await new Promise((turn) => setTimeout(turn, 50));
  expect(statusOf(id)).toBe('queued');
});
