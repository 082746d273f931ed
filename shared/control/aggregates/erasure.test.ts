import { beforeEach, describe, expect, test } from 'vitest';
import { createDecider, type Decider } from '../../../test/harness/decider.js';
import { type Command, decide } from '../decide/commands.js';
import { evolve } from '../decide/fold.js';
import { copyState, serialise } from '../snapshot/snapshot.js';

let decider: Decider;
let organisationId: string;
let websiteId: string;
let userId: string;
beforeEach(() => {
  decider = createDecider();
  organisationId = decider.do({ type: 'createOrganisation', name: 'Erased Ltd' }).id;
  userId = decider.do({ type: 'addUser', organisationId, email: 'erased@erased.example' }).id;
  websiteId = decider.do({ type: 'createWebsite', organisationId, domain: 'erased.example' }).website.id;
  decider.do({ type: 'createApiKey', organisationId, name: 'erased key', userId });
  decider.do({ type: 'addSegmentLibrary', websiteId });
  decider.do({ type: 'suppressBot', websiteId, crawler: 'erasedbot', reason: 'erased reason' });
  decider.do({ type: 'changeAlertSettings', websiteId, webhook_urls: ['https://hook.example/erased'] });
  decider.do({ type: 'resolveRecommendation', websiteId, key: 'ip:192.0.2.77' });
  decider.do({ type: 'takeReport', organisationId });
});

const erasing: Record<string, () => Command> = {
  organisation: () => ({ type: 'eraseOrganisation', organisationId }),
  website: () => ({ type: 'eraseWebsite', websiteId }),
  user: () => ({ type: 'eraseUser', userId }),
};

async function held(): Promise<string> {
  let text = '';
  for await (const part of serialise(copyState(decider.state))) text += part;
  return text;
}

describe('erasure', () => {
  test('leaves only ids of an organisation in the state', async () => {
    expect(await held()).toMatch(/erased\.example/);
    decider.do({ type: 'eraseOrganisation', organisationId });
    const { versions: _, ...tables } = decider.state;
    for (const table of Object.values(tables)) expect(table.size).toBe(0);
    expect(await held()).not.toMatch(/erased|192\.0\.2\.77/i);
  });

  test('of a website removes its dependent data and frees its domain', () => {
    decider.do({ type: 'eraseWebsite', websiteId });
    const { websites, ingestKeys, segments, suppressions, resolutions, alertSettings, apiKeys } =
      decider.state;
    for (const table of [websites, ingestKeys, segments, suppressions, resolutions, alertSettings])
      expect(table.size).toBe(0);
    expect(apiKeys.size).toBe(1);
    const again = decider.do({ type: 'createWebsite', organisationId, domain: 'erased.example' });
    expect(again.website.id).not.toBe(websiteId);
  });

  test('of a user removes the account’s keys and frees the address', () => {
    const other = decider.do({ type: 'createApiKey', organisationId, name: 'other' }).apiKey.id;
    decider.do({ type: 'eraseUser', userId });
    expect([...decider.state.apiKeys.values()].map(({ id }) => id)).toEqual([other]);
    const again = decider.do({ type: 'addUser', organisationId, email: 'erased@erased.example' });
    expect(again.id).not.toBe(userId);
  });

  test.each(Object.keys(erasing))('is refused for an unknown %s', (subject) => {
    organisationId = websiteId = userId = 'nobody';
    expect(decider.refusal(erasing[subject]!()).code).toBe('not_found');
  });

  test('is refused while a subscription is live, and accepted when it has ended', () => {
    const subscription = {
      id: 'sub_1',
      planId: 'starter',
      interval: 'monthly',
      trialEndsAt: null,
      currentPeriodEndsAt: null,
      cancelAtPeriodEnd: false,
      cardOnFile: true,
    } as const;
    const sync = (status: 'active' | 'canceled', observedAt: string) =>
      decider.do({
        type: 'syncSubscription',
        organisationId,
        subscription: { ...subscription, status, observedAt },
      });
    sync('active', '2026-11-21T12:00:00.000Z');
    expect(decider.refusal({ type: 'eraseOrganisation', organisationId }).code).toBe('conflict');
    sync('canceled', '2026-11-21T13:00:00.000Z');
    decider.do({ type: 'eraseOrganisation', organisationId });
    expect(decider.state.organisations.size).toBe(0);
  });

  /** Any decision on the earlier state, valid or not, restores nothing. */
  test.each(Object.keys(erasing))(
    '%s: stays erased after concurrent decisions of another replica',
    async (subject) => {
      const segment = [...decider.state.segments.values()][0]!;
      const { id: _, websiteId: _w, createdAt: _c, updatedAt: _u, ...definition } = segment;
      const apiKeyId = [...decider.state.apiKeys.values()][0]!.id;
      const ingestKeyId = [...decider.state.ingestKeys.values()][0]!.id;
      const meanwhile: Command[] = [
        { type: 'setPlan', organisationId, planId: 'scale' },
        { type: 'startTrial', organisationId, userId, planId: 'starter' },
        { type: 'addUser', organisationId, email: 'late@erased.example' },
        { type: 'createWebsite', organisationId, domain: 'late.erased.example' },
        { type: 'createApiKey', organisationId, name: 'late erased key', userId },
        { type: 'rotateApiKey', apiKeyId },
        { type: 'revokeApiKey', apiKeyId },
        { type: 'createIngestKey', websiteId },
        { type: 'rotateIngestKey', ingestKeyId },
        { type: 'revokeIngestKey', ingestKeyId },
        {
          type: 'createSegment',
          websiteId,
          ...definition,
          name: 'late erased',
          rules: [...definition.rules],
          excludeRules: [],
        },
        {
          type: 'replaceSegment',
          websiteId,
          segmentId: segment.id,
          ...definition,
          rules: [...definition.rules],
          excludeRules: [],
        },
        { type: 'deleteSegment', websiteId, segmentId: segment.id },
        { type: 'suppressBot', websiteId, crawler: 'late erased' },
        { type: 'endBotSuppression', websiteId, crawler: 'erasedbot' },
        { type: 'changeAlertSettings', websiteId, suppressed_bots: ['late erased'] },
        { type: 'resolveRecommendation', websiteId, key: 'ip:192.0.2.77' },
        { type: 'resolveRecommendation', websiteId, key: 'ip:192.0.2.78' },
        { type: 'reopenRecommendation', websiteId, key: 'ip:192.0.2.77' },
        { type: 'recordSiteEvent', websiteId, title: 'late', date: '2026-11-21', createdBy: 'x' },
        { type: 'takeReport', organisationId },
      ];
      const decided = meanwhile.map((command, index) => {
        const generated = {
          id: `late${index}`,
          keyId: `late${index}`,
          secret: String(index).padStart(43, 'x'),
        };
        const result = decide(decider.state, command, { now: decider.now, generated });
        if ('refusal' in result) throw new Error(`${command.type}: ${result.refusal.detail}`);
        return {
          id: `late${index}`,
          at: '2026-11-21T12:00:01.000Z',
          by: 'system' as const,
          events: result.events,
        };
      });
      decider.do(erasing[subject]!());
      for (const decision of decided) evolve(decider.state, decision);
      if (subject === 'organisation') expect(await held()).not.toMatch(/erased|192\.0\.2/i);
      const { websites, users, apiKeys, ingestKeys, segments, suppressions, resolutions, alertSettings } =
        decider.state;
      if (subject !== 'user')
        for (const table of [segments, suppressions, resolutions, alertSettings]) expect(table.size).toBe(0);
      if (subject !== 'user') expect(websites.get(websiteId)).toBeUndefined();
      if (subject !== 'website') expect(users.get(userId)).toBeUndefined();
      if (subject !== 'website')
        expect([...apiKeys.values()].filter((key) => key.userId === userId)).toEqual([]);
      if (subject !== 'user') expect(ingestKeys.by('websiteId', websiteId)).toEqual([]);
    },
  );
});
