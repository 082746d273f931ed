import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLmdbEventLog } from '../../deploy/embedded/log/lmdb-event-log.js';
import { startTestClickHouse } from '../../test/harness/clickhouse.js';
import { contentsOf } from '../../test/harness/control-actions.js';
import { granted } from '../../test/harness/control-plane.js';
import { type ControlPlaneOptions, openControlPlane } from './control-plane.js';
import { findApiKey, findIngestKey } from './domain/keys.js';
import { listSnapshots } from './snapshot/snapshot-rows.js';
import { createSnapshotStore } from './snapshot/snapshot-store.js';

const logger = pino({ level: 'silent' });
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loglane-control-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function open(wishes: Partial<ControlPlaneOptions> = {}) {
  const log = await openLmdbEventLog({ directory, partitions: 1, maxBytes: 2 ** 30, now: Date.now });
  const control = await openControlPlane({
    log,
    now: Date.now,
    randomBytes,
    logger,
    onCrash: (error) => {
      throw error;
    },
    ...wishes,
  });
  const close = async () => {
    await control.close();
    await log.close();
  };
  return { control, close };
}

test('acknowledged changes on the embedded log survive a restart', async () => {
  const first = await open();
  const { id: organisationId } = granted(
    await first.control.execute({ type: 'createOrganisation', name: 'Shop' }, 'admin'),
  );
  // Concurrently: each waits for its own decision among those of others.
  const sites = await Promise.all(
    [...Array(20).keys()].map(async (n) =>
      granted(
        await first.control.execute(
          { type: 'createWebsite', organisationId, domain: `shop${n}.example` },
          'admin',
        ),
      ),
    ),
  );
  const key = granted(await first.control.execute({ type: 'createApiKey', organisationId }, 'admin'));
  await first.close();

  const second = await open();
  const state = second.control.state();
  expect(findApiKey(state, key.clearText, Date.now())?.id).toBe(key.apiKey.id);
  for (const { website, clearText } of sites) {
    expect(state.websites.get(website.id)).toEqual(website);
    expect(findIngestKey(state, clearText)?.websiteId).toBe(website.id);
  }
  await second.close();
});

test('a restart folds the records after the snapshot in ClickHouse, and reaches the same state', async () => {
  const { clickhouse, stop } = await startTestClickHouse();
  try {
    const snapshots = createSnapshotStore(clickhouse, logger);
    const first = await open({ snapshots, snapshotEvery: 10 });
    const create = (name: string) => first.control.execute({ type: 'createOrganisation', name }, 'admin');
    for (let count = 0; count < 10; count++) granted(await create(`Shop ${count}`));
    await vi.waitFor(async () => expect((await listSnapshots(clickhouse))[0]?.parts).toBe(1), 10_000);
    const { id: organisationId } = granted(await create('Last'));
    granted(
      await first.control.execute({ type: 'createWebsite', organisationId, domain: 'a.example' }, 'admin'),
    );
    await first.close();

    const folded: number[] = [];
    const second = await open({ snapshots, onApplied: (_, offset) => folded.push(offset) });
    expect(folded).toEqual([10, 11]);
    expect(contentsOf(second.control.state())).toEqual(contentsOf(first.control.state()));
    await second.close();
  } finally {
    await stop();
  }
});
