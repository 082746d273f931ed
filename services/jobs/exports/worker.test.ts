import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { EXPORT_KEPT_MS } from '../../../shared/control/exports/export.js';
import { type FileStore, isFileKey, type StoredFile } from '../../../shared/files/file-store.js';
import { createControlLog } from '../../../test/harness/control-log.js';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import { MOST_ATTEMPTS } from '../export-makers/after-failure.js';
import { ExportRefusedError, type Maker } from '../export-makers/maker.js';
import type { Assignment } from '../runner/assignments.js';
import { createExportWorker, type ExportWorker } from './worker.js';

/** The state that survives a process: the log, the files, the messages. */
interface World {
  readonly log: ReturnType<typeof createControlLog>;
  readonly files: Map<string, Buffer>;
  /** Messages per export id. */
  readonly messages: Map<string, number>;
  at: number;
}

const createWorld = (): World => ({
  log: createControlLog(),
  files: new Map(),
  messages: new Map(),
  at: Date.parse('2026-11-21T12:00:00Z'),
});

const workers: ExportWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

class Killed extends Error {}

/** Counts a process's writes to the surviving state. The process dies before or after the given one. */
function mortal(number = Number.POSITIVE_INFINITY, moment: 'before' | 'after' = 'before') {
  let steps = 0;
  let dead = false;
  return {
    steps: () => steps,
    isDead: () => dead,
    async step<T>(effect: () => T | Promise<T>): Promise<T> {
      if (dead) throw new Killed();
      const dies = steps++ === number;
      if (dies && moment === 'before') {
        dead = true;
        throw new Killed();
      }
      const result = await effect();
      if (dies) {
        dead = true;
        throw new Killed();
      }
      return result;
    },
  };
}

type Life = ReturnType<typeof mortal>;

function storeOf(world: World, life: Life): FileStore {
  const stored = ([key, bytes]: [string, Buffer]): StoredFile => ({
    key,
    bytes: bytes.length,
    modifiedAt: 0,
  });
  return {
    put: async (key, bytes, { signal }) => {
      expect(isFileKey(key)).toBe(true);
      const whole = await buffer(bytes);
      signal?.throwIfAborted();
      await life.step(() => void world.files.set(key, whole));
    },
    stat: async (key) => {
      const bytes = world.files.get(key);
      return bytes === undefined ? null : stored([key, bytes]);
    },
    open: async (key) => Readable.from([world.files.get(key)!]),
    link: async () => '',
    async *list(prefix) {
      for (const each of [...world.files]) if (each[0].startsWith(prefix)) yield stored(each);
    },
    remove: async (key) => life.step(() => void world.files.delete(key)),
  };
}

const text: Maker = {
  make: async ({ question }) => ({
    rows: 2,
    file: { name: 'paths.csv', contentType: 'text/csv', bytes: Readable.from(['a\r\n', question]) },
    beside: ({ sha256 }) => [
      { name: 'manifest.json', contentType: 'application/json', bytes: Readable.from([sha256]) },
    ],
  }),
};

async function start(
  world: World,
  {
    life = mortal(),
    make = text,
    owns = () => true,
    store = (plain) => plain,
    stopMs = 1_000,
    mostFileBytes = 1_000,
    mostKeptBytes = 1_000,
  }: {
    life?: Life;
    make?: Maker;
    owns?: (id: string) => boolean;
    store?: (plain: FileStore) => FileStore;
    stopMs?: number;
    mostFileBytes?: number;
    mostKeptBytes?: number;
  } = {},
) {
  const { control: plane } = await openTestPlane({ log: world.log, now: () => world.at });
  const control = {
    state: () => plane.state(),
    execute: ((...call: Parameters<ControlPlane['execute']>) =>
      life.step(() => plane.execute(...call))) as ControlPlane['execute'],
  };
  const assignment: Assignment = { partition: 0, isReady: true, leaving: new AbortController() };
  const worker = createExportWorker({
    control,
    makers: new Map([['paths', make]]),
    store: store(storeOf(world, life)),
    stopMs,
    mostFileBytes,
    mostKeptBytes,
    assignmentOf: (id) => (owns(id) ? assignment : undefined),
    tell: async ({ id, notify }) => {
      if (notify) await life.step(() => void world.messages.set(id, (world.messages.get(id) ?? 0) + 1));
    },
    now: () => world.at,
    logger: pino({ level: 'silent' }),
    registry: new Registry(),
  });
  workers.push(worker);
  return { worker, plane, assignment };
}

async function openWebsite(control: ControlPlane, name = 'shop') {
  const { id: organisationId } = granted(
    await control.execute({ type: 'createOrganisation', name, planId: 'scale' }, 'admin'),
  );
  const created = await control.execute(
    { type: 'createWebsite', organisationId, domain: `${name}.example` },
    'admin',
  );
  return granted(created).website;
}

async function ask(control: ControlPlane, websiteId: string, exportType = 'paths') {
  const asked = { apiKeyId: 'key_1', userId: 'usr_1', notify: true, filters: '{}', description: 'Paths' };
  return granted(
    await control.execute(
      { type: 'requestExport', websiteId, exportType, question: '{"a":1}', ...asked },
      'admin',
    ),
  );
}

/** Waits until the condition is true, for at most three seconds. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds() && tries < 300; tries++) await new Promise((turn) => setTimeout(turn, 10));
  expect(holds()).toBe(true);
}

test('a requested export is made, recorded and notified', async () => {
  const world = createWorld();
  const { worker, plane } = await start(world);
  const { id, websiteId } = await ask(plane, (await openWebsite(plane)).id);
  worker.scan();
  await until(() => plane.state().exports.get(id)?.status === 'completed');
  const { file } = plane.state().exports.get(id)!;
  expect(file).toMatchObject({ key: `${websiteId}/exports/${id}/1/paths.csv`, rows: 2, bytes: 10 });
  expect(String(world.files.get(file!.key))).toBe('a\r\n{"a":1}');
  expect(String(world.files.get(`${websiteId}/exports/${id}/1/manifest.json`))).toBe(file!.sha256);
  await until(() => world.messages.get(id) === 1);
});

test('after a kill at any step, the next owner continues: one file, one message', async () => {
  let last = 0;
  for (let number = 0; number <= last; number++) {
    for (const moment of ['before', 'after'] as const) {
      const world = createWorld();
      const life = mortal(number, moment);
      const first = await start(world, { life });
      const { id, websiteId } = await ask(first.plane, (await openWebsite(first.plane)).id);
      first.worker.scan();
      const isOver = () =>
        first.plane.state().exports.get(id)?.status === 'completed' && world.messages.has(id);
      await until(() => life.isDead() || isOver());
      if (!life.isDead()) continue;
      last = Math.max(last, number + 1);
      await first.worker.stop();
      // Its open attempt is never ended.
      const next = await start(world);
      next.worker.scan();
      await until(() => next.plane.state().exports.get(id)?.status === 'completed');
      await until(() => world.messages.has(id));
      const { file } = next.plane.state().exports.get(id)!;
      await until(() => [...world.files.keys()].filter((key) => key.endsWith('.csv')).length === 1);
      expect(
        [...world.files.keys()].filter((key) => key.startsWith(`${websiteId}/exports/${id}/`)).sort(),
      ).toEqual([file!.key, file!.key.replace('paths.csv', 'manifest.json')].sort());
    }
  }
  // The writes: the start, two files, the completion, the message.
  expect(last).toBeGreaterThanOrEqual(5);
});

test('an export whose process died too often fails with a reason', async () => {
  const world = createWorld();
  const { worker, plane } = await start(world);
  const { id } = await ask(plane, (await openWebsite(plane)).id);
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++)
    granted(await plane.execute({ type: 'startExport', exportId: id, attemptsBefore: attempt }, 'system'));
  worker.scan();
  await until(() => plane.state().exports.get(id)?.status === 'failed');
  expect(plane.state().exports.get(id)!.error).toContain('the service ended under it');
});

test('changes of the owner do not use up the attempts of an export, kills do', async () => {
  const world = createWorld();
  const hung: Maker = {
    make: (_asked, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended')))),
  };
  let id = '';
  for (let change = 1; change <= MOST_ATTEMPTS + 1; change++) {
    const { worker, plane, assignment } = await start(world, { make: hung });
    if (id === '') id = (await ask(plane, (await openWebsite(plane)).id)).id;
    worker.scan();
    await until(() => plane.state().exports.get(id)?.attempts === change);
    // Alternates between a rebalance and the end of a process.
    if (change % 2 === 0) assignment.leaving.abort();
    else await worker.stop();
    await until(() => plane.state().exports.get(id)!.returned.length === change);
    expect(plane.state().exports.get(id)!.status).toBe('pending');
    await worker.stop();
  }
  const { worker, plane } = await start(world);
  // Four attempts without an end: one more may begin.
  for (let kill = 1; kill < MOST_ATTEMPTS; kill++)
    granted(
      await plane.execute(
        { type: 'startExport', exportId: id, attemptsBefore: plane.state().exports.get(id)!.attempts },
        'system',
      ),
    );
  worker.scan();
  await until(() => plane.state().exports.get(id)?.status === 'completed');
  expect(plane.state().exports.get(id)!.file!.key).toContain(`/${2 * MOST_ATTEMPTS + 1}/`);
});

test('a failure is retried after a wait, a refusal is not', async () => {
  const world = createWorld();
  let fails = 1;
  const make: Maker = {
    make: (asked, deps) => {
      if (asked.question.includes('never')) throw new ExportRefusedError('There is no such pattern.');
      if (fails-- > 0) throw new Error('the engine is away');
      return text.make(asked, deps);
    },
  };
  const { worker, plane } = await start(world, { make });
  const website = await openWebsite(plane);
  const { id } = await ask(plane, website.id);
  worker.scan();
  await until(() => plane.state().exports.get(id)?.notBefore != null);
  worker.scan();
  expect(plane.state().exports.get(id)!.status).toBe('pending');
  world.at += 16_000;
  worker.scan();
  await until(() => plane.state().exports.get(id)?.status === 'completed');
  expect(plane.state().exports.get(id)!.attempts).toBe(2);
  const refused = granted(
    await plane.execute(
      {
        type: 'requestExport',
        websiteId: website.id,
        exportType: 'paths',
        question: '"never"',
        apiKeyId: 'k',
        userId: null,
        notify: false,
        filters: '{}',
        description: '',
      },
      'admin',
    ),
  );
  worker.scan();
  await until(() => plane.state().exports.get(refused.id)?.status === 'failed');
  expect(plane.state().exports.get(refused.id)!.error).toBe('There is no such pattern.');
});

test('a cancelled export ends while it runs, and leaves no file', async () => {
  const world = createWorld();
  let ended = false;
  const make: Maker = {
    make: (_asked, { signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          ended = true;
          reject(new Error('ended'));
        }),
      ),
  };
  const { worker, plane } = await start(world, { make });
  const { id } = await ask(plane, (await openWebsite(plane)).id);
  worker.scan();
  await until(() => plane.state().exports.get(id)?.status === 'processing');
  granted(await plane.execute({ type: 'cancelExport', exportId: id }, 'admin'));
  worker.scan();
  await until(() => ended);
  expect(world.files.size).toBe(0);
  expect(plane.state().exports.get(id)!.status).toBe('cancelled');
});

test('an organisation has one place, and other organisations get their turns', async () => {
  const world = createWorld();
  const begun: string[] = [];
  const open: (() => void)[] = [];
  const make: Maker = {
    make: async (asked, deps) => {
      begun.push(asked.organisationId);
      await new Promise<void>((free) => open.push(free));
      return text.make(asked, deps);
    },
  };
  const { worker, plane } = await start(world, { make });
  const [a, b, c] = [
    await openWebsite(plane, 'a'),
    await openWebsite(plane, 'b'),
    await openWebsite(plane, 'c'),
  ];
  for (const website of [a, a, a, b, b, c]) await ask(plane, website.id);
  worker.scan();
  await until(() => begun.length === 2);
  for (let count = 3; count <= 6; count++) {
    open.shift()!();
    await until(() => begun.length === count);
  }
  const names = new Map([
    [a.organisationId, 'a'],
    [b.organisationId, 'b'],
    [c.organisationId, 'c'],
  ]);
  expect(begun.map((id) => names.get(id)).join('')).toBe('abcaba');
  for (const free of open) free();
});

test('a store that hangs after an export blocks neither its place nor the end of the process', async () => {
  const world = createWorld();
  let hangs = 0;
  const store = (plain: FileStore): FileStore => ({
    ...plain,
    async *list() {
      hangs++;
      await new Promise(() => {});
    },
  });
  const { worker, plane } = await start(world, { store, stopMs: 50 });
  const website = await openWebsite(plane);
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) ids.push((await ask(plane, website.id)).id);
  worker.scan();
  await until(() => ids.every((id) => plane.state().exports.get(id)?.status === 'completed'));
  await until(() => ids.every((id) => world.messages.get(id) === 1));
  expect(hangs).toBe(4);
  await worker.stop();
});

test('an attempt fails if the store has another length than was written, and the next one is complete', async () => {
  const world = createWorld();
  let lies = 1;
  const store = (plain: FileStore): FileStore => ({
    ...plain,
    stat: async (key) => {
      const found = await plain.stat(key);
      return found !== null && lies-- > 0 ? { ...found, bytes: found.bytes - 1 } : found;
    },
  });
  const { worker, plane } = await start(world, { store });
  const { id } = await ask(plane, (await openWebsite(plane)).id);
  worker.scan();
  await until(() => plane.state().exports.get(id)?.notBefore != null);
  expect(plane.state().exports.get(id)).toMatchObject({ status: 'pending', attempts: 1 });
  world.at += 16_000;
  worker.scan();
  await until(() => plane.state().exports.get(id)?.status === 'completed');
  expect(plane.state().exports.get(id)!.file!.key).toContain('/2/');
});

test('a file above the size limit of one export is refused at once, with advice', async () => {
  const world = createWorld();
  // The file of `text` has ten bytes.
  for (const mostFileBytes of [10, 9]) {
    const { worker, plane } = await start(world, { mostFileBytes });
    const { id } = await ask(plane, (await openWebsite(plane, `most${mostFileBytes}`)).id);
    worker.scan();
    await until(() => plane.state().exports.get(id)?.completedAt != null);
    const { status, error, attempts } = plane.state().exports.get(id)!;
    expect({ status, attempts }).toEqual({
      status: mostFileBytes === 10 ? 'completed' : 'failed',
      attempts: 1,
    });
    if (status === 'failed') expect(error).toMatch(/narrow its window .* parquet/);
    await worker.stop();
  }
});

test('background work of an export ends before its process does', async () => {
  const world = createWorld();
  const store = (plain: FileStore): FileStore => ({
    ...plain,
    async *list(prefix) {
      await new Promise((turn) => setTimeout(turn, 100));
      yield* plain.list(prefix);
    },
  });
  const { worker, plane } = await start(world, { store });
  const { id, websiteId } = await ask(plane, (await openWebsite(plane)).id);
  const left = `${websiteId}/exports/${id}/0/paths.csv`;
  world.files.set(left, Buffer.from('x'));
  worker.scan();
  await until(() => plane.state().exports.get(id)?.status === 'completed');
  await worker.stop();
  expect(world.files.has(left)).toBe(false);
});

test('the file and record of an expired export are removed, and orphaned files by the sweep', async () => {
  const world = createWorld();
  const { worker, plane } = await start(world);
  const { id } = await ask(plane, (await openWebsite(plane)).id);
  worker.scan();
  await until(() => world.messages.has(id));
  world.at += EXPORT_KEPT_MS;
  worker.scan();
  await until(() => plane.state().exports.size === 0);
  expect(world.files.size).toBe(0);
});

test('exports of another replica are not touched', async () => {
  const world = createWorld();
  const { worker, plane } = await start(world, { owns: () => false });
  const { id } = await ask(plane, (await openWebsite(plane)).id);
  worker.scan();
  await new Promise((turn) => setTimeout(turn, 50));
  expect(plane.state().exports.get(id)!.status).toBe('pending');
});

test('exports that were requested while there was space are not made after the organisation has reached its storage limit', async () => {
  const world = createWorld();
  // The file of `text` has ten bytes.
  const { worker, plane } = await start(world, { mostKeptBytes: 20 });
  const website = await openWebsite(plane);
  const asked = [await ask(plane, website.id), await ask(plane, website.id), await ask(plane, website.id)];
  worker.scan();
  const ended = () => asked.map(({ id }) => plane.state().exports.get(id)!);
  await until(() => ended().every(({ completedAt }) => completedAt !== null));
  expect(ended().map(({ status }) => status)).toEqual(['completed', 'completed', 'failed']);
  expect(ended()[2]).toMatchObject({ attempts: 1, error: expect.stringContaining('oldest have expired') });
  await worker.stop();
});
