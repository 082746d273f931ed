import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { granted } from '../../test/harness/control-plane.js';
import { openLmdbEventLog } from '../event-log/lmdb/lmdb-event-log.js';
import { openControlPlane } from './control-plane.js';
import { findApiKey, findIngestKey } from './keys.js';

test('what was answered on the embedded log is there after a restart', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'loglane-control-'));
  const logger = pino({ level: 'silent' });
  async function open() {
    const log = await openLmdbEventLog({ directory, partitions: 1, maxBytes: 2 ** 30, now: Date.now });
    const control = await openControlPlane({
      log,
      now: Date.now,
      randomBytes,
      logger,
      onCrash: (error) => {
        throw error;
      },
    });
    const close = async () => {
      await control.close();
      await log.close();
    };
    return { control, close };
  }
  try {
    const first = await open();
    const { id: organisationId } = granted(
      await first.control.execute({ type: 'createOrganisation', name: 'Shop' }, 'admin'),
    );
    // Side by side: each waits for its own decision among the others'.
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
  } finally {
    await rm(directory, { recursive: true });
  }
});
