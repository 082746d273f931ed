import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { granted } from '../../../test/harness/control-plane.js';
import { createMemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { openControlPlane } from '../control-plane.js';
import { decodeDecision } from '../domain/event-codec.js';
import { type KeyRing, openKeyRing } from './key-ring.js';
import { sealDecision } from './seal-decision.js';

const logger = pino({ level: 'silent' });
const onCrash = (error: Error) => {
  throw error;
};

async function open(log = createMemoryEventLog(1), held: string[] = []) {
  const ring = await openKeyRing({ log, randomBytes, onCrash });
  const now = () => Date.parse('2026-11-21T12:00:00Z');
  const control = await openControlPlane({
    log,
    now,
    randomBytes,
    logger,
    onCrash,
    ring,
    onApplied: (decision) => held.push(JSON.stringify(decision)),
  });
  return { log, ring, control };
}

/** Writes each kind of personal text, always with the mark. */
async function write({ control }: Awaited<ReturnType<typeof open>>, mark: string): Promise<string> {
  const organisationId = granted(
    await control.execute({ type: 'createOrganisation', name: `${mark} Ltd` }, 'admin'),
  ).id;
  granted(await control.execute({ type: 'addUser', organisationId, email: `jo@${mark}.example` }, 'admin'));
  const made = granted(
    await control.execute({ type: 'createWebsite', organisationId, domain: `${mark}.example` }, 'admin'),
  );
  const websiteId = made.website.id;
  granted(await control.execute({ type: 'createApiKey', organisationId, name: `${mark} CI` }, 'admin'));
  const rules = [{ type: 'prefix' as const, value: `/${mark}` }];
  granted(
    await control.execute(
      { type: 'createSegment', websiteId, name: mark, rules, notes: `${mark} !` },
      'admin',
    ),
  );
  granted(await control.execute({ type: 'suppressBot', websiteId, crawler: 'bot', reason: mark }, 'admin'));
  granted(
    await control.execute(
      { type: 'changeAlertSettings', websiteId, webhook_urls: [`https://hook.example/${mark}`] },
      'admin',
    ),
  );
  const entry = { title: mark, date: '2026-11-21', description: mark, category: mark, createdBy: mark };
  granted(await control.execute({ type: 'recordSiteEvent', websiteId, ...entry }, 'admin'));
  return organisationId;
}

const written = (log: ReturnType<typeof createMemoryEventLog>) =>
  log
    .records('control.events')
    .map(({ key, value }) => `${key} ${value.toString('latin1')}`)
    .join('\n');

describe('personal fields in the control log', () => {
  test('are sealed there, and readable by every process with the keys', async () => {
    const one = await open();
    await write(one, 'zqxjvkwzqxjv');
    expect(written(one.log)).not.toMatch(/zqxjvkwzqxjv/);
    const held: string[] = [];
    const other = await open(one.log, held);
    expect([...other.control.state().users.values()]).toEqual([...one.control.state().users.values()]);
    expect([...other.control.state().segments.values()]).toEqual([...one.control.state().segments.values()]);
    expect([...other.control.state().websites.values()][0]?.domain).toBe('zqxjvkwzqxjv.example');
    expect([...other.control.state().alertSettings.values()]).toMatchObject([
      { settings: { webhook_urls: ['https://hook.example/zqxjvkwzqxjv'] } },
    ]);
    expect(held.join()).toContain('"title":"zqxjvkwzqxjv"');
  });

  test('become unreadable when the organisation’s key is deleted, and the log still folds', async () => {
    const one = await open();
    const gone = await write(one, 'zqxjvkwzqxjv');
    const kept = await write(one, 'kept');
    granted(await one.control.execute({ type: 'eraseOrganisation', organisationId: gone }, 'admin'));
    await one.ring.shred(gone);
    const held: string[] = [];
    const other = await open(one.log, held);
    expect(held.join()).not.toMatch(/zqxjvkwzqxjv/);
    expect(held.join()).toContain('"title":"kept"');
    expect(other.control.state().organisations.get(kept)?.name).toBe('kept Ltd');
    expect(other.control.state().organisations.get(gone)).toBeUndefined();
    expect([...other.control.state().versions]).toEqual([...one.control.state().versions]);
    // A freed name is free in both.
    const again = await write(other, 'zqxjvkwzqxjv');
    expect(one.control.state().organisations.get(again)?.name).toBe('zqxjvkwzqxjv Ltd');
  });

  test('are readable if the key entered the log a moment before, and never appear without it', async () => {
    const one = await open();
    const other = await open(one.log);
    for (const mark of ['a', 'b', 'c']) {
      const id = await write(one, mark);
      await expect.poll(() => other.control.state().organisations.get(id)?.name).toBe(`${mark} Ltd`);
    }
  });

  test('are readable if two processes create the first key of an organisation at once', async () => {
    const { log } = await open();
    const rings = await Promise.all([1, 2].map(() => openKeyRing({ log, randomBytes, onCrash })));
    const keys = await Promise.all(rings.map((ring) => ring.keyOf('org_1')));
    const reader = await openKeyRing({ log, randomBytes, onCrash });
    for (const { name, bytes } of keys) expect(await reader.find(name)).toEqual(bytes);
    await rings[0]!.shred('org_1');
    for (const { name } of keys)
      expect(await (await openKeyRing({ log, randomBytes, onCrash })).find(name)).toBeNull();
  });

  test('are placeholders for a process without keys, and the fold is the same', async () => {
    const one = await open();
    await write(one, 'zqxjvkwzqxjv');
    const without = await openControlPlane({
      log: one.log,
      now: () => 0,
      randomBytes,
      logger,
      onCrash,
    });
    expect([...without.state().versions]).toEqual([...one.control.state().versions]);
    expect([...without.state().ingestKeys.values()]).toEqual([...one.control.state().ingestKeys.values()]);
    expect([...without.state().users.values()][0]?.email).toBe('[erased]');
    expect(without.state().segments.size).toBe(1);
  });

  test('cannot be read after they were moved to another event', async () => {
    const { log, ring, control } = await open();
    await write({ log, ring, control }, 'zqxjvkwzqxjv');
    const decisions = log.records('control.events').map(({ value }) => decodeDecision(value));
    const user = decisions.flatMap(({ events }) => events).find(({ type }) => type === 'user.added')!;
    const stolen = {
      id: 'x',
      at: '2026-11-21T12:00:00.000Z',
      by: 'admin' as const,
      events: [{ ...user, aggregateId: 'usr_2' }],
    };
    const { openDecision } = await import('./seal-decision.js');
    expect(JSON.stringify(await openDecision(stolen, ring))).toContain('[erased]');
  });

  test('need a durable key before the event is written', async () => {
    const failing: KeyRing = {
      keyOf: () => Promise.reject(new Error('away')),
      find: () => null,
      shred: async () => {},
      close: async () => {},
    };
    const data = { organisationId: 'o', email: 'a@b.example' };
    const event = { aggregate: 'user', aggregateId: 'u', version: 1, type: 'user.added', data };
    const { control } = await open();
    const decision = { id: 'd', at: 'x', by: 'admin' as const, events: [event] };
    await expect(sealDecision(decision, control.state(), { ring: failing, randomBytes })).rejects.toThrow(
      'away',
    );
  });
});
