import { beforeEach, describe, expect, test } from 'vitest';
import { createDecider, type Decider } from '../../../test/harness/decider.js';
import { DAY_MS } from '../../durations.js';
import { REPORTS_PER_MONTH } from '../exports/report-quota.js';
import { ALERT_GRACE_MS, EVIDENCE_GRACE_MS, isResolved } from './resolution.js';
import { activeSuppressions, isSuppressed } from './suppression.js';

/** Suppressed bots, resolved recommendations, and counts of decisions. */

let decider: Decider;
let organisationId: string;
let websiteId: string;
beforeEach(() => {
  decider = createDecider();
  organisationId = decider.do({ type: 'createOrganisation', name: 'Shop' }).id;
  websiteId = decider.do({ type: 'createWebsite', organisationId, domain: 'shop.example' }).website.id;
});

describe('bot suppression (spec §3.5)', () => {
  const held = () => isSuppressed(decider.state, { websiteId, crawler: 'Googlebot', now: decider.now });
  const suppress = (days?: number) =>
    decider.do({
      type: 'suppressBot',
      websiteId,
      crawler: 'Googlebot',
      ...(days === undefined ? {} : { days }),
    });

  test('the whole sequence: not suppressed → suppressed → ended, and → expired', () => {
    expect(held()).toBe(false);
    expect(suppress(2).until).toBe('2026-11-23T12:00:00.000Z');
    expect(held()).toBe(true);
    decider.do({ type: 'endBotSuppression', websiteId, crawler: 'Googlebot' });
    expect(held()).toBe(false);
    suppress(2);
    decider.now += 2 * DAY_MS - 1;
    expect(held()).toBe(true);
    expect(activeSuppressions(decider.state, websiteId, decider.now)).toHaveLength(1);
    decider.now += 1;
    expect(held()).toBe(false);
    expect(activeSuppressions(decider.state, websiteId, decider.now)).toEqual([]);
  });

  test('applies only to that bot on that website; after another suppression the new end is valid', () => {
    suppress();
    const other = decider.do({ type: 'createWebsite', organisationId, domain: 'b.example' }).website.id;
    const { now, state } = decider;
    expect(isSuppressed(state, { websiteId: other, crawler: 'Googlebot', now })).toBe(false);
    expect(isSuppressed(state, { websiteId, crawler: 'bingbot', now })).toBe(false);
    expect(suppress(1).until).toBe('2026-11-22T12:00:00.000Z');
  });

  test.each([0, 366, 1.5])('%s days are refused', (days) => {
    const refusal = decider.refusal({ type: 'suppressBot', websiteId, crawler: 'x', days });
    expect(refusal).toMatchObject({ code: 'invalid_request', detail: expect.stringMatching(/^days/) });
  });
});

describe('recommendation (spec §3.6)', () => {
  const key = '404:/old';
  const hidden = (alertAt: number | null = null, requestAt: number | null = null) =>
    isResolved(decider.state, { websiteId, key, newest: { alertAt, requestAt } });

  test.each([
    'ip:192.0.2.7',
    'ip:2001:db8::1',
    '404:/old page',
    'slow:/',
    'unverified:Googlebot:192.0.2.7',
    'unverified:Bot: the one:2001:db8::1',
  ])('%s is a valid key', (good) => {
    expect(decider.do({ type: 'resolveRecommendation', websiteId, key: good })).toMatchObject({ key: good });
  });

  test.each([
    'ip:192.0.2.700',
    'ip:',
    '404:old',
    'slow:https://shop.example/',
    'unverified:Googlebot',
    'unverified::192.0.2.7',
    'unverified:Googlebot:',
    'constructor:/x',
    '/old',
  ])('%s is invalid, and the refusal lists the forms', (bad) => {
    for (const type of ['resolveRecommendation', 'reopenRecommendation'] as const)
      expect(decider.refusal({ type, websiteId, key: bad })).toMatchObject({
        code: 'invalid_request',
        detail: expect.stringMatching(/^key.*ip:<ip>, 404:<path>, unverified:<bot>:<ip> or slow:<path>/),
      });
  });

  test('the whole sequence: open → resolved → reopened, and → reappeared in a newer alert', () => {
    expect(hidden()).toBe(false);
    const { resolvedAt } = decider.do({ type: 'resolveRecommendation', websiteId, key });
    expect(resolvedAt).toBe('2026-11-21T12:00:00.000Z');
    expect(hidden()).toBe(true);
    decider.do({ type: 'reopenRecommendation', websiteId, key });
    expect(hidden()).toBe(false);
    decider.do({ type: 'resolveRecommendation', websiteId, key });
    expect(hidden(decider.now + ALERT_GRACE_MS)).toBe(true);
    expect(hidden(decider.now + ALERT_GRACE_MS + 1)).toBe(false);
    expect(hidden(null, decider.now + EVIDENCE_GRACE_MS)).toBe(true);
    expect(hidden(null, decider.now + EVIDENCE_GRACE_MS + 1)).toBe(false);
    // After another resolution, earlier alerts do not count.
    decider.now += 10;
    decider.do({ type: 'resolveRecommendation', websiteId, key });
    expect(hidden(decider.now + ALERT_GRACE_MS - 9)).toBe(true);
  });

  test.each(['', 'ip:', 'page:/x', '404'])('the key "%s" is refused', (wrong) => {
    expect(decider.refusal({ type: 'resolveRecommendation', websiteId, key: wrong }).detail).toMatch(/^key/);
  });
});

describe('reports', () => {
  test('the eleventh of a month is refused, each month starts again, and each organisation has its own count', () => {
    const take = { type: 'takeReport', organisationId } as const;
    for (let left = REPORTS_PER_MONTH - 1; left >= 0; left--)
      expect(decider.do(take)).toEqual({ remaining: left });
    expect(decider.refusal(take)).toMatchObject({
      code: 'rate_limited',
      limit: 10,
      resetAt: '2026-12-01T00:00:00.000Z',
    });
    const other = decider.do({ type: 'createOrganisation', name: 'Second' }).id;
    decider.do({ ...take, organisationId: other });
    decider.now = Date.parse('2026-12-01T00:00:00Z');
    expect(decider.do(take)).toEqual({ remaining: 9 });
  });
});

describe('rotation of an API key', () => {
  test('creates a key of the same kind and revokes the old one immediately', () => {
    const { apiKey } = decider.do({
      type: 'createApiKey',
      organisationId,
      name: 'CI',
      scope: 'read_write',
      expiresAt: '2027-01-01T00:00:00Z',
    });
    const rotated = decider.do({ type: 'rotateApiKey', apiKeyId: apiKey.id });
    const { name, scope, expiresAt, revokedAt } = rotated.apiKey;
    expect({ name, scope, expiresAt, revokedAt }).toEqual({
      name: 'CI',
      scope: 'read_write',
      expiresAt: '2027-01-01T00:00:00.000Z',
      revokedAt: null,
    });
    expect(rotated.clearText).toMatch(/^llapi_/);
    expect(decider.state.apiKeys.get(apiKey.id)?.revokedAt).toBe('2026-11-21T12:00:00.000Z');
    expect(decider.refusal({ type: 'rotateApiKey', apiKeyId: apiKey.id }).code).toBe('conflict');
  });
});
