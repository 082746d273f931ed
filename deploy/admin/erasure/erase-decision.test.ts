import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../shared/control/domain/event.js';
import { decodeDecision } from '../../../shared/control/domain/event-codec.js';
import { readLog } from '../../../shared/event-log/follow-log.js';
import { createControlLog } from '../../../test/harness/control-log.js';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import { addressEraser, scopeEraser } from './erase-decision.js';
import { findScope } from './erasure-scope.js';

let ids = 0;
const newId = () => String(ids++);

/** Creates an organisation with a website, a user, an API key of the user with this name, and an entry created with the key. */
async function customerWith(keyName: string) {
  const log = createControlLog();
  const { control } = await openTestPlane({ log });
  const { id: organisationId } = granted(
    await control.execute({ type: 'createOrganisation', name: 'Shop', planId: 'scale' }, 'admin'),
  );
  const user = granted(
    await control.execute({ type: 'addUser', organisationId, email: 'jo@shop.example' }, 'admin'),
  );
  const site = granted(
    await control.execute(
      { type: 'createWebsite', organisationId, domain: 'shop.example', name: 'Shop', sourceType: 'vector' },
      'admin',
    ),
  );
  const key = granted(
    await control.execute(
      { type: 'createApiKey', organisationId, name: keyName, scope: 'read_write', userId: user.id },
      'admin',
    ),
  );
  const createdBy = `${keyName} (…${key.apiKey.last4})`;
  granted(
    await control.execute(
      {
        ...{ type: 'recordSiteEvent', websiteId: site.website.id, date: '2026-11-20', createdBy },
        ...{ title: 'Relaunch on 198.51.100.7', category: 'shop', description: 'by Jo' },
      },
      'admin',
    ),
  );
  const decisions: Decision[] = [];
  await readLog(log, {
    topic: 'control.events',
    onRecords: (records) => void decisions.push(...records.map(({ value }) => decodeDecision(value))),
  });
  const entry = decisions.find(({ events }) => events[0]?.type === 'site_event.recorded')!;
  return { log, organisationId, userId: user.id, websiteId: site.website.id, entry };
}

const dataOf = (decision: Decision | null) =>
  decision === null ? null : (decision.events[0]!.data as Record<string, unknown>);
const withoutTexts = { title: '[erased]', category: null, description: null, createdBy: '[erased]' };

describe('a timeline entry', () => {
  test.each(['CI', '[erased]'])(
    'created with a key %j loses its texts when the user is erased',
    async (name) => {
      const { log, userId, entry } = await customerWith(name);
      const scope = await findScope(log, { kind: 'user', id: userId });
      const erased = dataOf(scopeEraser(userId, scope, newId).erase(entry));
      expect(erased).toMatchObject(withoutTexts);
      expect(erased).not.toHaveProperty('erased');
    },
  );

  test('of another organisation is not changed, even if its key has the same name', async () => {
    const { log, userId, entry } = await customerWith('CI');
    const scope = await findScope(log, { kind: 'user', id: userId });
    const [event] = entry.events;
    const data = { ...(event!.data as object), organisationId: 'org_other', websiteId: 'web_other' };
    const foreign = { ...entry, events: [{ ...event!, data }] };
    expect(scopeEraser(userId, scope, newId).erase(foreign)).toBeNull();
  });

  test('is marked as erased with its website, its organisation or the address that it names', async () => {
    const { log, organisationId, websiteId, userId, entry } = await customerWith('CI');
    const gone = { ...withoutTexts, erased: true };
    const ofUser = scopeEraser(userId, await findScope(log, { kind: 'user', id: userId }), newId);
    for (const subject of [
      { kind: 'website', id: websiteId },
      { kind: 'organisation', id: organisationId },
    ] as const) {
      const eraser = scopeEraser(subject.id, await findScope(log, subject), newId);
      const erased = eraser.erase(entry)!;
      expect(dataOf(erased)).toMatchObject(gone);
      expect(eraser.erase(erased)).toBeNull();
      expect(dataOf(eraser.erase(ofUser.erase(entry)!))).toMatchObject(gone);
    }
    expect(dataOf(addressEraser(/198\.51\.100\.7/, null, newId).erase(entry))).toMatchObject(gone);
  });
});
