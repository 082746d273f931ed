import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { expect, test } from 'vitest';
import { EXPORT_KEPT_MS } from '../../../shared/control/exports/export.js';
import type { FileStore } from '../../../shared/files/file-store.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import { withDetectors } from '../../../test/harness/detectors-on.js';
import { createErasureDesk } from './erasure-desk.js';

/** A store of one table that returns a row of the address for the first `looks` queries. */
function storeThatFinds(looks: number): ClickHouse {
  let left = looks;
  const answers = (name: string): unknown[] => {
    if (name === 'erase.tables') return [{ table: 'requests', names: ['client_ip'], types: ['IPv6'] }];
    if (name === 'erase.count') return [{ rows: left-- > 0 ? 1 : 0 }];
    return [];
  };
  return {
    read: async ({ name, row }) => answers(name).map((one) => row.parse(one)),
    command: async () => {},
    insert: async () => {},
    readFile: () => Promise.reject(new Error('no test reads files here')),
    ping: async () => true,
    close: async () => {},
  };
}

const ADDRESS = '192.0.2.1';

/** @param takes whether the detectors have read their orders, at each look. */
async function openDesk(looks: number, takes?: () => boolean, files?: FileStore) {
  const { control, log: controlLog } = await openTestPlane();
  const { id: organisationId } = granted(
    await control.execute({ type: 'createOrganisation', name: 'Shop', planId: 'scale' }, 'admin'),
  );
  const websites: string[] = [];
  for (const domain of ['one.example', 'two.example']) {
    const wanted = {
      type: 'createWebsite',
      organisationId,
      domain,
      name: domain,
      sourceType: 'vector',
    } as const;
    websites.push(granted(await control.execute(wanted, 'admin')).website.id);
  }
  const log = withDetectors(controlLog, takes);
  const desk = createErasureDesk({
    control,
    log,
    clickhouse: storeThatFinds(looks),
    files,
    withInsertsHeld: (work) => work(),
    newId: randomUUID,
    now: Date.now,
    logger: pino({ level: 'silent' }),
    pauseMs: 0,
    answerMs: 0,
  });
  return { desk, log, websites, close: () => control.close() };
}

async function eraseWhile(looks: number, takes?: () => boolean) {
  const opened = await openDesk(looks, takes);
  const report = await opened.desk.erase({ kind: 'address', address: ADDRESS, websiteId: null });
  await opened.close();
  return { ...opened, report };
}

const reportWhile = async (looks: number) => (await eraseWhile(looks)).report;

test('an erasure is complete when a further pass finds nothing', async () => {
  expect(await reportWhile(1)).toMatchObject({ complete: true, rows: { requests: 1 } });
  expect(await reportWhile(4)).toMatchObject({ complete: true, rows: { requests: 4 } });
  expect(await reportWhile(0)).toMatchObject({
    ...{ complete: true, rows: {}, left: { requests: 0 }, leftRecords: 0 },
  });
});

test('an erasure is incomplete if every pass found data', async () => {
  const report = await reportWhile(Number.POSITIVE_INFINITY);
  expect(report).toMatchObject({ complete: false, forgotten: true });
});

test('each pass notifies the owner of every website, and records keep no forgotten address', async () => {
  const { log, websites, report } = await eraseWhile(1);
  expect(report.records).toBe(0);
  expect(log.told()).toEqual([...websites, ...websites].map((websiteId) => ({ websiteId, address: '' })));
});

test('without an answer of a detector, all rows are erased, the orders stay, and the erasure is incomplete', async () => {
  const { log, websites, report } = await eraseWhile(1, () => false);
  expect(report).toMatchObject({ forgotten: false, complete: false, rows: { requests: 1 } });
  expect(log.told()).toEqual(
    [...websites, ...websites].map((websiteId) => ({ websiteId, address: ADDRESS })),
  );
});

test('the desk waits for a late detector only once, and its late answer counts', async () => {
  let looks = 0;
  const { log, report } = await eraseWhile(1, () => ++looks > 1);
  expect(report).toMatchObject({ forgotten: true, complete: true });
  expect(log.told().every(({ address }) => address === '')).toBe(true);
});

test('for one website only its owner is notified; for an erased website the order is only to save', async () => {
  const { desk, log, websites, close } = await openDesk(0);
  const [one] = websites as [string];
  await desk.erase({ kind: 'address', address: ADDRESS, websiteId: one });
  expect(new Set(log.told().map(({ websiteId }) => websiteId))).toEqual(new Set([one]));
  const before = log.told().length;
  expect(await desk.erase({ kind: 'website', id: one })).toMatchObject({ forgotten: true, complete: true });
  const later = log.told().slice(before);
  expect(new Set(later.map((told) => JSON.stringify(told)))).toEqual(
    new Set([JSON.stringify({ websiteId: one, address: '' })]),
  );
  await close();
});

/** A file store that lists `keys`. */
function filesOf(keys: Set<string>, remove = (key: string) => void keys.delete(key)): FileStore {
  return {
    async *list(prefix) {
      for (const key of [...keys]) if (key.startsWith(prefix)) yield { key, bytes: 1, modifiedAt: 0 };
    },
    remove: async (key) => remove(key),
  } as Partial<FileStore> as FileStore;
}

test('only the files of the erased website are removed, and the report counts them', async () => {
  const keys = new Set<string>();
  const { desk, websites, close } = await openDesk(0, undefined, filesOf(keys));
  const [one, two] = websites as [string, string];
  for (const id of [one, two])
    for (const name of ['exports/e/1/a.csv', 'requests/b']) keys.add(`${id}/${name}`);
  expect(await desk.preview({ kind: 'website', id: one })).toMatchObject({ files: 2 });
  expect(keys.size).toBe(4);
  expect(await desk.erase({ kind: 'website', id: one })).toMatchObject({ files: 2, complete: true });
  expect([...keys].every((key) => key.startsWith(`${two}/`)) && keys.size === 2).toBe(true);
  await close();
});

test('an erasure is incomplete while the store lists files of the website', async () => {
  const keys = new Set<string>();
  const { desk, websites, close } = await openDesk(
    0,
    undefined,
    filesOf(keys, () => {}),
  );
  keys.add(`${websites[0]}/requests/b`);
  expect(await desk.erase({ kind: 'website', id: websites[0]! })).toMatchObject({ complete: false });
  await close();
});

test('the report of an address names the files that keep it', async () => {
  const { desk, close } = await openDesk(0, undefined, filesOf(new Set()));
  const { remains } = await desk.preview({ kind: 'address', address: ADDRESS, websiteId: null });
  const untils = remains.filter(({ topic }) => topic === 'files').map(({ until }) => until);
  expect(untils).toHaveLength(2);
  expect(Date.parse(untils[0]!)).toBeGreaterThan(Date.now() + EXPORT_KEPT_MS - 60_000);
  expect(untils[1]).toBeNull();
  await close();
});
