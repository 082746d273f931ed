import { beforeEach, describe, expect, test } from 'vitest';
import { type ControlLog, createControlLog } from '../../test/harness/control-log.js';
import { granted, openTestPlane } from '../../test/harness/control-plane.js';
import { MAX_SEGMENTS } from './aggregates/segment.js';
import type { ControlPlane } from './control-plane.js';
import type { Command } from './decide/commands.js';
import { findApiKey } from './domain/keys.js';

/** Two replicas race for the same thing: one gets it, the other is refused, and both have the same state afterwards. */

let log: ControlLog;
let replicas: readonly ControlPlane[];
let organisationId: string;
let websiteId: string;

const NOW = Date.parse('2026-11-21T12:00:00Z');

beforeEach(async () => {
  log = createControlLog();
  replicas = [(await openTestPlane({ log })).control, (await openTestPlane({ log })).control];
  const [one] = replicas;
  organisationId = granted(
    await one!.execute({ type: 'createOrganisation', name: 'Shop', planId: 'free' }, 'admin'),
  ).id;
  websiteId = granted(
    await one!.execute({ type: 'createWebsite', organisationId, domain: 'shop.example' }, 'admin'),
  ).website.id;
  await log.drained();
});

const home = () => [{ type: 'exact' as const, value: '/' }];

/** Sends each command to its replica, all at once. */
async function race(...commands: readonly Command[]) {
  const outcomes = await Promise.all(
    commands.map((command, index) => replicas[index % replicas.length]!.execute(command, 'admin')),
  );
  await log.drained();
  const refusals = outcomes.flatMap((outcome) => ('refusal' in outcome ? [outcome.refusal] : []));
  return { refusals, won: outcomes.length - refusals.length };
}

describe('one trial', () => {
  test('for an organisation', async () => {
    const trial = { type: 'startTrial', organisationId, userId: null } as const;
    const { refusals, won } = await race({ ...trial, planId: 'starter' }, { ...trial, planId: 'scale' });
    expect(won).toBe(1);
    expect(refusals).toMatchObject([{ code: 'conflict', reason: 'trial_used_by_organisation' }]);
    const [one, two] = replicas.map((replica) => replica.state().organisations.get(organisationId)?.trial);
    expect(one).toEqual(two);
    expect(one).not.toBeNull();
  });

  test('for a user account, in any organisation', async () => {
    const [one] = replicas;
    const second = granted(
      await one!.execute({ type: 'createOrganisation', name: 'Second', planId: 'free' }, 'admin'),
    ).id;
    const { id: userId } = granted(
      await one!.execute({ type: 'addUser', organisationId, email: 'a@shop.example' }, 'admin'),
    );
    await log.drained();
    const trial = { type: 'startTrial', userId, planId: 'starter' } as const;
    const { refusals, won } = await race({ ...trial, organisationId }, { ...trial, organisationId: second });
    expect(won).toBe(1);
    expect(refusals).toMatchObject([{ reason: 'trial_used_by_user' }]);
    const trials = [...replicas[1]!.state().organisations.values()].filter(({ trial }) => trial !== null);
    expect(trials).toHaveLength(1);
  });
});

test('one hundredth segment', async () => {
  const segment = { type: 'createSegment', websiteId, rules: home() } as const;
  for (let index = 1; index < MAX_SEGMENTS; index++)
    granted(await replicas[0]!.execute({ ...segment, name: `S${index}` }, 'admin'));
  await log.drained();
  const { refusals, won } = await race({ ...segment, name: 'one' }, { ...segment, name: 'two' });
  expect(won).toBe(1);
  expect(refusals).toMatchObject([{ code: 'conflict', detail: expect.stringContaining('100') }]);
  for (const replica of replicas)
    expect(replica.state().segments.by('websiteId', websiteId)).toHaveLength(MAX_SEGMENTS);
});

test('no circle from two nestings that are each valid alone', async () => {
  const fields = { websiteId, rules: home() };
  const add = async (name: string) =>
    granted(await replicas[0]!.execute({ type: 'createSegment', ...fields, name }, 'admin'));
  const [a, b] = [await add('A'), await add('B')];
  await log.drained();
  const under = (segmentId: string, parentId: string) =>
    ({
      type: 'replaceSegment',
      ...fields,

      name: 'x',
      segmentId,
      parentId,
    }) as const;
  const { refusals, won } = await race(under(a.id, b.id), under(b.id, a.id));
  expect(won).toBe(1);
  expect(refusals).toMatchObject([
    { code: 'invalid_request', detail: expect.stringContaining('under itself') },
  ]);
});

test('one rotation of a key', async () => {
  const made = granted(await replicas[0]!.execute({ type: 'createApiKey', organisationId }, 'admin'));
  await log.drained();
  const rotate = { type: 'rotateApiKey', apiKeyId: made.apiKey.id } as const;
  const { refusals, won } = await race(rotate, rotate);
  expect(won).toBe(1);
  expect(refusals).toMatchObject([{ code: 'conflict' }]);
  for (const replica of replicas) {
    expect(findApiKey(replica.state(), made.clearText, NOW)).toBeNull();
    const open = [...replica.state().apiKeys.values()].filter(({ revokedAt }) => revokedAt === null);
    expect(open).toHaveLength(1);
  }
});

test('ten reports, for any number of requests', async () => {
  const take = { type: 'takeReport', organisationId } as const;
  const { refusals, won } = await race(...Array.from({ length: 14 }, () => take));
  expect(won).toBe(10);
  expect(refusals.every(({ code }) => code === 'rate_limited')).toBe(true);
});
