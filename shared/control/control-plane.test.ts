import fc from 'fast-check';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { anyAction, commandOf, contentsOf } from '../../test/harness/control-actions.js';
import { createControlLog } from '../../test/harness/control-log.js';
import { granted, openTestPlane } from '../../test/harness/control-plane.js';
import { LogUnavailableError } from '../event-log/event-log.js';
import type { ControlPlane } from './control-plane.js';
import { findApiKey, findIngestKey } from './domain/keys.js';
import type { Organisation } from './domain/model.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');

async function createOrganisation(control: ControlPlane, name = 'Shop'): Promise<Organisation> {
  return granted(await control.execute({ type: 'createOrganisation', name, planId: 'scale' }, 'admin'));
}

describe('execute', () => {
  test('an acknowledged change is readable immediately', async () => {
    const { control } = await openTestPlane();
    const organisation = await createOrganisation(control);
    expectTypeOf(organisation).toEqualTypeOf<Organisation>();
    expect(control.state().organisations.get(organisation.id)).toEqual({
      id: organisation.id,
      name: 'Shop',
      planId: 'scale',
      trial: null,
      customerId: null,
      subscription: null,
      createdAt: '2026-11-21T12:00:00.000Z',
    });
    const { website, ingestKey, clearText } = granted(
      await control.execute(
        { type: 'createWebsite', organisationId: organisation.id, domain: 'https://Shop.example/x' },
        'admin',
      ),
    );
    expect(website).toMatchObject({ domain: 'shop.example', name: 'shop.example', sourceType: null });
    expect(control.state().websites.by('organisationId', organisation.id)).toEqual([website]);
    expect(findIngestKey(control.state(), clearText)).toEqual(ingestKey);
    expect(ingestKey).toMatchObject({ websiteId: website.id, organisationId: organisation.id });
  });

  test('acknowledges nothing before the decision is in the log', async () => {
    const { control, log } = await openTestPlane();
    log.hold();
    let answered = false;
    const pending = createOrganisation(control).then(() => {
      answered = true;
    });
    await new Promise((turn) => setTimeout(turn, 20));
    expect(answered).toBe(false);
    expect(control.state().organisations.size).toBe(0);
    log.release();
    await pending;
    expect(control.state().organisations.size).toBe(1);
  });

  test('a log that refuses the decision leaves the state unchanged, and the command can be retried', async () => {
    const { control, log } = await openTestPlane();
    log.failNextAppend();
    await expect(createOrganisation(control)).rejects.toThrow(LogUnavailableError);
    expect(control.state().organisations.size).toBe(0);
    await createOrganisation(control);
    expect(control.state().organisations.size).toBe(1);
  });

  test('a caller who waits for a stalled log gets an error after a timeout', async () => {
    const { control, log } = await openTestPlane();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      log.hold();
      const pending = createOrganisation(control);
      const told = expect(pending).rejects.toThrow(LogUnavailableError);
      await vi.advanceTimersByTimeAsync(10_000);
      await told;
    } finally {
      vi.useRealTimers();
    }
  });

  test('a record that is in the log twice counts once', async () => {
    const { control, log } = await openTestPlane();
    log.duplicate(2);
    const { id } = await createOrganisation(control);
    granted(await control.execute({ type: 'setPlan', organisationId: id, planId: 'free' }, 'admin'));
    expect(log.records).toHaveLength(6);
    expect(control.state().versions.get(`organisation/${id}`)).toBe(2);
  });

  test('a command that changes nothing writes nothing', async () => {
    const { control, log } = await openTestPlane();
    const { id } = await createOrganisation(control);
    granted(await control.execute({ type: 'setPlan', organisationId: id, planId: 'scale' }, 'admin'));
    expect(log.records).toHaveLength(1);
  });

  test.each([
    [{ type: 'setPlan', organisationId: 'org_none', planId: 'free' }, 'not_found', /organisation_id/],
    [{ type: 'setPlan', organisationId: 'org_none', planId: 'gold' }, 'invalid_request', /^plan_id/],
    [{ type: 'createOrganisation', name: '  ' }, 'invalid_request', /^name/],
    [{ type: 'createOrganisation', name: 'x', colour: 'red' }, 'invalid_request', /colour/],
    [{ type: 'revokeApiKey', apiKeyId: 'key_none' }, 'not_found', /api_key_id/],
    [{ type: 'dropEverything' }, 'invalid_request', /^type/],
    [{ type: 'constructor' }, 'invalid_request', /^type/],
  ])('refuses %j', async (command, code, detail) => {
    const { control, log } = await openTestPlane();
    const outcome = await control.execute(command as never, 'admin');
    expect(outcome).toEqual({ refusal: { code, detail: expect.stringMatching(detail) } });
    expect(log.records).toHaveLength(0);
  });

  test('after close every command is refused', async () => {
    const { control } = await openTestPlane();
    await control.close();
    await expect(createOrganisation(control)).rejects.toThrow(LogUnavailableError);
  });
});

describe('two planes on one log', () => {
  async function openTwo() {
    const log = createControlLog();
    const [one, two] = await Promise.all([openTestPlane({ log }), openTestPlane({ log })]);
    return { log, one: one.control, two: two.control };
  }

  test('if two callers register one domain at the same time, one wins and the other is refused', async () => {
    const { log, one, two } = await openTwo();
    const { id: organisationId } = await createOrganisation(one);
    await log.drained();
    const command = { type: 'createWebsite', organisationId, domain: 'shop.example' } as const;
    const outcomes = await Promise.all([one.execute(command, 'admin'), two.execute(command, 'admin')]);
    const refused = outcomes.filter((outcome) => 'refusal' in outcome);
    await log.drained();
    expect(refused).toEqual([
      { refusal: { code: 'conflict', detail: expect.stringContaining('shop.example') } },
    ]);
    for (const plane of [one, two]) {
      expect(plane.state().websites.size).toBe(1);
      // The loser's ingest key is gone with its website.
      expect(plane.state().ingestKeys.size).toBe(1);
    }
  });

  test('all callers that race on one aggregate succeed, one after the other', async () => {
    const { log, one, two } = await openTwo();
    const { id: organisationId } = await createOrganisation(one);
    await log.drained();
    const plans = ['free', 'basic', 'starter', 'growth', 'unlimited'] as const;
    const outcomes = await Promise.all(
      [...plans, ...plans].map((planId, index) =>
        (index % 2 === 0 ? one : two).execute({ type: 'setPlan', organisationId, planId }, 'admin'),
      ),
    );
    expect(outcomes.every((outcome) => 'answer' in outcome)).toBe(true);
    await log.drained();
    expect(contentsOf(one.state())).toEqual(contentsOf(two.state()));
  });

  test('any interleaving leaves both, and a new one, with the same state', async () => {
    const action = fc.record({
      ...anyAction,
      plane: fc.nat(1),
      together: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
        const { log, one, two } = await openTwo();
        const { id: organisationId } = await createOrganisation(one);
        await log.drained();
        let running: Promise<unknown>[] = [];
        for (const { plane, kind, pick, together } of actions) {
          const control = plane === 0 ? one : two;
          running.push(control.execute(commandOf(control.state(), { kind, pick }, organisationId), 'admin'));
          if (!together) {
            await Promise.all(running);
            running = [];
          }
        }
        await Promise.all(running);
        await log.drained();
        const fresh = await openTestPlane({ log: createControlLog(log.records) });
        expect(contentsOf(two.state())).toEqual(contentsOf(one.state()));
        expect(contentsOf(fresh.control.state())).toEqual(contentsOf(one.state()));
        const domains = [...one.state().websites.values()].map(({ domain }) => domain);
        expect(new Set(domains).size).toBe(domains.length);
        const emails = [...one.state().users.values()].map(({ email }) => email);
        expect(new Set(emails).size).toBe(emails.length);
      }),
      { numRuns: 60 },
    );
  });
});

describe('start', () => {
  test('a restarted plane knows every key, and revoked and expired ones stay invalid', async () => {
    const first = await openTestPlane();
    const { id: organisationId } = await createOrganisation(first.control);
    const make = async (expiresAt: string | null) =>
      granted(await first.control.execute({ type: 'createApiKey', organisationId, expiresAt }, 'admin'));
    const [kept, revoked, expiring] = [
      await make(null),
      await make(null),
      await make('2026-11-21T13:00:00+00:00'),
    ];
    granted(await first.control.execute({ type: 'revokeApiKey', apiKeyId: revoked.apiKey.id }, 'admin'));

    const { control } = await openTestPlane({ log: createControlLog(first.log.records) });
    const find = (clearText: string, now = NOW) => findApiKey(control.state(), clearText, now)?.id ?? null;
    expect(find(kept.clearText)).toBe(kept.apiKey.id);
    expect(find(revoked.clearText)).toBeNull();
    expect(find(expiring.clearText)).toBe(expiring.apiKey.id);
    expect(find(expiring.clearText, NOW + 3_600_000)).toBeNull();
  });

  test('fails on an unreadable record, instead of serving half a state', async () => {
    const log = createControlLog([
      { key: 'x', value: Buffer.from([9, 1, 2]), partition: 0, offset: 0, appendedAt: 0 },
    ]);
    await expect(openTestPlane({ log })).rejects.toThrow('unknown schema id 9');
  });

  test('a record that becomes unreadable later crashes the plane and fails waiting callers', async () => {
    const { control, log, crashes } = await openTestPlane();
    await log.append('control.events', [{ key: 'x', value: Buffer.from([9]) }]);
    await expect(createOrganisation(control)).rejects.toThrow(LogUnavailableError);
    expect(crashes).toHaveLength(1);
  });
});

test('clear text is in no record and in no log line', async () => {
  const { control, log, logged } = await openTestPlane();
  const { id: organisationId } = await createOrganisation(control);
  const site = granted(
    await control.execute({ type: 'createWebsite', organisationId, domain: 'shop.example' }, 'admin'),
  );
  const secrets = [
    site.clearText,
    granted(await control.execute({ type: 'createApiKey', organisationId }, 'admin')).clearText,
    granted(await control.execute({ type: 'createIngestKey', websiteId: site.website.id }, 'admin'))
      .clearText,
    granted(await control.execute({ type: 'rotateIngestKey', ingestKeyId: site.ingestKey.id }, 'admin'))
      .clearText,
  ];
  const stored = Buffer.concat(log.records.map(({ value }) => value)).toString('latin1');
  expect(stored).toContain('shop.example');
  expect(logged()).toContain('createWebsite');
  for (const secret of secrets) {
    const random = secret.slice(secret.indexOf('_') + 1);
    expect(stored).not.toContain(random);
    expect(logged()).not.toContain(random);
  }
});
