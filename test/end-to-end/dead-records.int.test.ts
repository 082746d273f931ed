import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDeadLetterQueue } from '../../deploy/admin/dead-letters/dead-letter-queue.js';
import { connectInstance } from '../../deploy/admin/instance/instance.js';
import { instanceOnLog, type OpenInstance } from '../../deploy/admin/open-instance.js';
import { createProgram } from '../../deploy/admin/program.js';
import { startAdminServer } from '../../deploy/admin/server/admin-server.js';
import { openLmdbEventLog } from '../../deploy/embedded/log/lmdb-event-log.js';
import { type EnricherService, startEnricher } from '../../services/enricher/enricher-service.js';
import { plainRequest } from '../../services/enricher/sink/plain-request.js';
import { openControlPlane } from '../../shared/control/control-plane.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { encodeRawBlock } from '../../shared/requests/columns/raw-block-codec.js';
import type { ClickHouse, InsertOptions } from '../../shared/store/client.js';
import { enrichEach } from '../harness/enrich-each.js';
import { storedRequest } from '../harness/stored-requests.js';

/** A record that stops the enricher becomes a dead record, and the operator replays it into the store. */

const logger = pino({ level: 'silent' });
let dataDir: string;
let log: EventLog;
let enricher: EnricherService;
let inserted: Buffer[];
let mended: boolean;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-dead-'));
  log = await openLmdbEventLog({
    directory: join(dataDir, 'log'),
    partitions: 2,
    maxBytes: 64 * 1024 ** 2,
    now: Date.now,
    logger,
  });
  inserted = [];
  mended = false;
  const store: Pick<ClickHouse, 'insert'> = {
    insert: async ({ rows }: InsertOptions) => void inserted.push(Buffer.from(rows)),
  };
  enricher = await startEnricher({
    log,
    clickhouse: store as ClickHouse,
    enrich: enrichEach((_block, { target }) => {
      if (target === '/poison' && !mended) throw new Error('a device nobody thought of');
      return storedRequest({ website_id: 'w', timestamp: 0, path: target });
    }),
    retentionDays: () => 30,
    config: { ENRICHER_BATCH_ROWS: 10, ENRICHER_BATCH_BYTES: 1e6, ENRICHER_BATCH_LINGER_MS: 5 },
    now: Date.now,
    logger,
    registry: new Registry(),
    onCrash: (error) => {
      throw error;
    },
  });
});
afterEach(async () => {
  await enricher.stop();
  await log.close();
  await rm(dataDir, { recursive: true });
});

/** Through the socket of a running instance, and on the log itself as with Kafka. */
const forms = {
  async socket(): Promise<OpenInstance> {
    const control = await openControlPlane({ log, now: Date.now, randomBytes, logger, onCrash: () => {} });
    const deadRecords = createDeadLetterQueue({ log, logger });
    const server = await startAdminServer({ control, deadRecords, dataDir, logger });
    return {
      ...connectInstance(dataDir),
      async close() {
        await server.close();
        await control.close();
      },
    };
  },
  // The embedded log has one owner, so the test closes it.
  async log(): Promise<OpenInstance> {
    return instanceOnLog(async () => ({ ...log, close: async () => {} }), { logger, clickhouse: null });
  },
};

test.each(['socket', 'log'] as const)(
  'a poison record is listed with its reason, and stored once it is replayed (%s)',
  async (form) => {
    const instance = await forms[form]();
    const admin = async (...words: string[]) => {
      const printed: string[] = [];
      await createProgram({
        instance,
        print: (text) => printed.push(text),
        urls: { base: '', ingest: '' },
        detect: () => Promise.reject(new Error('not asked')),
      }).parseAsync(words, { from: 'user' });
      return printed.join('\n');
    };
    const dead = async () => JSON.parse(await admin('dead', 'list', '--json'));
    const append = (key: string, value: Buffer) => log.append('requests.raw', [{ key, value }]);
    const block = (target: string) =>
      encodeRawBlock({
        website_id: 'w',
        source: 'loglane',
        upload_id: 'u',
        received_at: 0,
        requests: [plainRequest({ target })],
      });
    const stored = (path: string) => inserted.filter((rows) => rows.includes(path)).length;

    const [poison] = await append('w', block('/poison'));
    const [garbage] = await append('w', Buffer.from('\x63garbage'));
    await append('w', block('/neighbour'));
    await vi.waitFor(() => expect(stored('/neighbour')).toBe(1));
    expect(stored('/poison')).toBe(0);
    expect(await dead()).toEqual([
      expect.objectContaining({ ...poison, state: 'dead', reason: 'a device nobody thought of' }),
      expect.objectContaining({ ...garbage, state: 'dead', reason: expect.stringContaining('schema id 99') }),
    ]);

    mended = true;
    await admin(
      'dead',
      'replay',
      '--partition',
      String(poison!.partition),
      '--offset',
      String(poison!.offset),
    );
    await vi.waitFor(() => expect(stored('/poison')).toBe(1));
    expect((await dead()).map(({ state }: { state: string }) => state)).toEqual(['replayed', 'dead']);
    await expect(admin('dead', 'replay', '--partition', '0', '--offset', '99')).rejects.toThrow(
      /no dead record/,
    );

    // A record that still fails is a dead record again, at its new offset.
    await admin('dead', 'replay', '--all');
    await vi.waitFor(async () => expect(await dead()).toHaveLength(3));
    expect(await admin('dead', 'list')).toMatch(/^topic +partition +offset +reason/);
    expect(stored('/poison')).toBe(1);
    await instance.close();
  },
);
