import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { showWebhookSecret } from '../../../deploy/admin/server/show-webhook-secret.js';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import { createMemoryEventLog } from '../../../test/harness/memory-event-log.js';
import type { WritableState } from '../domain/state.js';
import { copyState, serialise } from '../snapshot/snapshot.js';
import { openKeyRing } from './key-ring.js';
import { openWebhookSecret } from './webhook-secret.js';

const onCrash = (error: Error) => {
  throw error;
};

async function world() {
  const keys = createMemoryEventLog(1);
  const ring = await openKeyRing({ log: keys, randomBytes, onCrash });
  const { control, log, logged } = await openTestPlane();
  const organisationId = granted(
    await control.execute({ type: 'createOrganisation', name: 'Shop' }, 'admin'),
  ).id;
  const websiteOf = async (domain: string) =>
    granted(await control.execute({ type: 'createWebsite', organisationId, domain }, 'admin')).website.id;
  const show = (websiteId: string, isNew = false) =>
    showWebhookSecret({ websiteId, isNew }, { control, ring }).then(({ secret }) => secret);
  return { keys, ring, control, log, logged, organisationId, websiteOf, show };
}

test('a website has its own secret, which is stable for all readers until it is replaced', async () => {
  const { keys, control, websiteOf, show } = await world();
  const [one, other] = [await websiteOf('one.example'), await websiteOf('other.example')];
  const secret = await show(one);
  expect(secret).toMatch(/^llwhs_[\w-]{43}$/);
  expect(await show(one)).toBe(secret);
  expect(await show(other)).not.toBe(secret);
  const elsewhere = await openKeyRing({ log: keys, randomBytes, onCrash });
  expect(await openWebhookSecret(elsewhere, control.state().webhookSecrets.get(one)!)).toBe(secret);
  const fresh = await show(one, true);
  expect(fresh).not.toBe(secret);
  expect(await show(one)).toBe(fresh);
  await expect(show('web_none')).rejects.toThrow('there is no website "web_none"');
});

test('is in no log of decisions, no snapshot and no log line; and needs the organisation’s key', async () => {
  const { ring, control, log, logged, organisationId, websiteOf, show } = await world();
  const websiteId = await websiteOf('one.example');
  const secret = await show(websiteId);
  let snapshot = '';
  for await (const part of serialise(copyState(control.state() as WritableState))) snapshot += part;
  expect(snapshot).toContain(websiteId);
  const written = log.records.map(({ value }) => value.toString('latin1')).join('\n');
  expect(written).toContain('webhook_secret.made');
  const [key] = [await ring.keyOf(organisationId)];
  for (const text of [snapshot, written, logged()])
    for (const hidden of [
      secret,
      secret.slice(6),
      key.bytes.toString('base64url'),
      key.bytes.toString('hex'),
    ])
      expect(text).not.toContain(hidden);
  await ring.shred(organisationId);
  expect(await openWebhookSecret(ring, control.state().webhookSecrets.get(websiteId)!)).toBeNull();
  await expect(show(websiteId)).rejects.toThrow('create a new secret');
  expect(await show(websiteId, true)).toMatch(/^llwhs_/);
});

test('is removed with its website', async () => {
  const { control, websiteOf, show } = await world();
  const websiteId = await websiteOf('one.example');
  await show(websiteId);
  granted(await control.execute({ type: 'eraseWebsite', websiteId }, 'admin'));
  expect(control.state().webhookSecrets.get(websiteId)).toBeUndefined();
});
