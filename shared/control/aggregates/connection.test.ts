import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { createAdminApp } from '../../../deploy/admin/server/admin-app.js';
import { granted } from '../../../test/harness/control-plane.js';
import { createMemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { openCredential } from '../../connections/credential.js';
import { openControlPlane } from '../control-plane.js';
import type { WritableState } from '../domain/state.js';
import { openKeyRing } from '../sealing/key-ring.js';
import { copyState, serialise } from '../snapshot/snapshot.js';
import { connectionOf } from './connection.js';

const SECRET = 'zqx-secret';
const KIND = 'google-search-console';
const credential = { type: 'service_account', clientEmail: 'a@b.example', privateKey: SECRET };

/** @param sealed whether the log seals personal fields, as on Kafka; the embedded log does not. */
async function open(sealed: boolean) {
  const log = createMemoryEventLog(1);
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const onCrash = (error: Error) => {
    throw error;
  };
  const ring = await openKeyRing({ log, randomBytes, onCrash });
  const now = () => Date.parse('2026-11-21T12:00:00Z');
  const control = await openControlPlane({
    ...{ log, now, randomBytes, logger, onCrash },
    ...(sealed && { ring }),
  });
  const organisation = granted(await control.execute({ type: 'createOrganisation', name: 'A' }, 'admin'));
  const { website } = granted(
    await control.execute(
      { type: 'createWebsite', organisationId: organisation.id, domain: 'www.example.com' },
      'admin',
    ),
  );
  const deadRecords = { list: async () => [], replay: async () => [] };
  const app = createAdminApp({ control, log, ring, logger, deadRecords });
  async function connect(given: object = {}) {
    const body = {
      websiteId: website.id,
      kind: KIND,
      property: 'sc-domain:example.com',
      credential,
      ...given,
    };
    const response = await app.request('/connections', { method: 'POST', body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  }
  return { log, lines, ring, control, app, connect, website, organisation };
}

async function everythingKept({
  log,
  lines,
  control,
  app,
}: Awaited<ReturnType<typeof open>>): Promise<string> {
  let snapshot = '';
  for await (const part of serialise(copyState(control.state() as WritableState))) snapshot += part;
  const events = log.records('control.events').map(({ value }) => value.toString('latin1'));
  const listed = await (await app.request('/connections')).text();
  return [snapshot, ...events, ...lines, listed].join('\n');
}

describe('a connection', () => {
  test.each([true, false])('has its credential only in sealed form: sealed log %s', async (sealed) => {
    const world = await open(sealed);
    const { status, text } = await world.connect();
    expect(status).toBe(200);
    expect(JSON.parse(text).answer).toEqual({
      ...{ websiteId: world.website.id, kind: KIND, property: 'sc-domain:example.com', propertyName: null },
      ...{ sourceId: expect.any(String), connectedAt: '2026-11-21T12:00:00.000Z' },
    });
    const kept = await everythingKept(world);
    expect(kept).toContain(KIND);
    expect(kept + text).not.toContain(SECRET);
    const connection = connectionOf(world.control.state(), world.website.id, KIND)!;
    expect(await openCredential(connection, world.ring)).toEqual(credential);
  });

  test('cannot be opened for another website or kind, or without the organisation’s key', async () => {
    const { connect, control, website, organisation, ring } = await open(false);
    await connect();
    const connection = connectionOf(control.state(), website.id, KIND)!;
    expect(await openCredential({ ...connection, websiteId: 'other' }, ring)).toBeNull();
    expect(await openCredential({ ...connection, kind: 'google-analytics' }, ring)).toBeNull();
    await ring.shred(organisation.id);
    expect(await openCredential(connection, ring)).toBeNull();
  });

  test('keeps its rows with a new credential, and starts again with another property', async () => {
    const { connect, control, website } = await open(false);
    const sourceId = () => connectionOf(control.state(), website.id, KIND)!.sourceId;
    await connect();
    const first = sourceId();
    await connect({ credential: { ...credential, privateKey: 'other' } });
    expect(sourceId()).toBe(first);
    await connect({ property: 'https://www.example.com/' });
    expect(sourceId()).not.toBe(first);
  });

  test('is removed on disconnection and with its website', async () => {
    const { connect, control, website } = await open(false);
    await connect();
    granted(await control.execute({ type: 'disconnectSource', websiteId: website.id, kind: KIND }, 'admin'));
    expect(connectionOf(control.state(), website.id, KIND)).toBeNull();
    const again = await control.execute(
      { type: 'disconnectSource', websiteId: website.id, kind: KIND },
      'admin',
    );
    expect(again).toMatchObject({ refusal: { code: 'not_found' } });
    await connect();
    granted(await control.execute({ type: 'eraseWebsite', websiteId: website.id }, 'admin'));
    expect([...control.state().connections.values()]).toEqual([]);
  });

  test.each([
    [
      { property: 'sc-domain:other.example' },
      'it belongs to other.example, but the website is www.example.com',
    ],
    [{ property: 'example.com' }, 'expected sc-domain:example.com or a URL'],
    [{ kind: 'google-analytics', property: 'G-123' }, 'expected its number'],
    [{ kind: 'bing-webmaster' }, 'credential: bing-webmaster needs another type of credential'],
    [{ websiteId: 'none' }, 'there is no website "none"'],
  ])('is refused with %j', async (given, detail) => {
    const { connect, control } = await open(false);
    const { status, text } = await connect(given);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.parse(text).detail).toContain(detail);
    expect([...control.state().connections.values()]).toEqual([]);
  });

  test('accepts only a sealed credential', async () => {
    const { control, website } = await open(false);
    const outcome = await control.execute(
      {
        type: 'connectSource',
        websiteId: website.id,
        kind: KIND,
        property: 'sc-domain:example.com',
        credential: SECRET,
      },
      'admin',
    );
    expect(outcome).toMatchObject({ refusal: { code: 'invalid_request' } });
  });

  test('exists before recorded data is accepted', async () => {
    const { app, website } = await open(false);
    const totals = { day: '2026-11-18', impressions: 1, clicks: 0, position: 1 };
    const body = { websiteId: website.id, at: 1, days: [{ totals, pages: [], queries: [] }] };
    const response = await app.request('/recorded-search', { method: 'POST', body: JSON.stringify(body) });
    expect(response.status).toBe(400);
  });
});
