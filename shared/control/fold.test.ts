import { describe, expect, test } from 'vitest';
import { createDecider } from '../../test/harness/decider.js';
import { type Command, decide } from './commands.js';
import type { ControlEvent, Decision } from './event.js';
import { eventKinds, evolve } from './fold.js';
import { emptyState, versionOf } from './state.js';

function decisionOf(...events: ControlEvent[]): Decision {
  return { id: 'dec', at: '2026-11-21T12:00:00.000Z', by: 'admin', events };
}

function created(version = 1, name = 'Shop'): ControlEvent {
  const data = { name, planId: 'free' };
  return { aggregate: 'organisation', aggregateId: 'org_1', version, type: 'organisation.created', data };
}

function planChanged(version: number, planId: string): ControlEvent {
  const type = 'organisation.plan_changed';
  return { aggregate: 'organisation', aggregateId: 'org_1', version, type, data: { planId } };
}

describe('evolve', () => {
  test('an event on a passed version changes nothing', () => {
    const state = emptyState();
    expect(evolve(state, decisionOf(created()))).toBe(true);
    expect(evolve(state, decisionOf(planChanged(2, 'scale')))).toBe(true);
    expect(evolve(state, decisionOf(planChanged(2, 'basic')))).toBe(false);
    expect(evolve(state, decisionOf(created(1, 'Other')))).toBe(false);
    expect(state.organisations.get('org_1')).toMatchObject({ name: 'Shop', planId: 'scale' });
    expect(versionOf(state, 'organisation', 'org_1')).toBe(2);
  });

  test('an event from ahead of the aggregate changes nothing', () => {
    const state = emptyState();
    evolve(state, decisionOf(created()));
    expect(evolve(state, decisionOf(planChanged(3, 'scale')))).toBe(false);
    expect(state.organisations.get('org_1')?.planId).toBe('free');
  });

  test('one stale event takes its whole decision with it', () => {
    const state = emptyState();
    evolve(state, decisionOf(created()));
    const user = { organisationId: 'org_1', email: 'a@shop.example' };
    const added = { aggregate: 'user', aggregateId: 'usr_1', version: 1, type: 'user.added', data: user };
    expect(evolve(state, decisionOf(added, planChanged(1, 'scale')))).toBe(false);
    expect(state.users.size).toBe(0);
    expect(versionOf(state, 'user', 'usr_1')).toBe(0);
  });

  test('data that can not be read is an error that leaves the state untouched', () => {
    const state = emptyState();
    evolve(state, decisionOf(created()));
    const broken = { aggregate: 'user', aggregateId: 'usr_1', version: 1, type: 'user.added', data: {} };
    expect(() => evolve(state, decisionOf(planChanged(2, 'scale'), broken))).toThrow(/email/);
    expect(state.organisations.get('org_1')?.planId).toBe('free');
    expect(versionOf(state, 'organisation', 'org_1')).toBe(1);
  });

  test('a kind that only a newer release knows counts as a version and is stepped over', () => {
    const state = emptyState();
    evolve(state, decisionOf(created()));
    const renamed = { ...planChanged(2, 'x'), type: 'organisation.renamed', data: { name: 'New' } };
    expect(evolve(state, decisionOf(renamed))).toBe(true);
    expect(state.organisations.get('org_1')?.name).toBe('Shop');
    expect(evolve(state, decisionOf(planChanged(3, 'scale')))).toBe(true);
  });

  test('every event that release 0.1 wrote can still be read', () => {
    const id = { organisationId: 'org_1' };
    const key = { digest: 'd', last4: 'abcd' };
    const rules = [{ type: 'prefix', value: '/blog' }];
    const segment = {
      name: 'Blog',
      rules,
      excludeRules: [],
      colour: null,
      parentId: null,
      notes: null,
      order: null,
    };
    const written: Record<string, object> = {
      'organisation.created': { name: 'Shop', planId: 'free' },
      'organisation.plan_changed': { planId: 'scale' },
      'user.added': { ...id, email: 'a@shop.example' },
      'website.added': { ...id, domain: 'shop.example', name: 'Shop', sourceType: 'vector' },
      'website.privacy_changed': { websiteId: 'web_1', addressDays: null, botsOnly: true },
      'api_key.created': { ...id, ...key, userId: null, name: 'k', scope: 'read', expiresAt: null },
      'api_key.revoked': {},
      'ingest_key.created': { ...id, ...key, websiteId: 'web_1' },
      'ingest_key.revoked': {},
      'unique_name.claimed': { owner: 'web_1' },
      'organisation.trial_started': { planId: 'starter', endsAt: '2026-12-05T12:00:00.000Z' },
      'organisation.customer_linked': { customerId: 'cus_1' },
      'organisation.subscription_changed': {
        id: 'sub_1',
        planId: 'starter',
        interval: 'monthly',
        status: 'active',
        trialEndsAt: null,
        currentPeriodEndsAt: '2026-12-21T12:00:00.000Z',
        cancelAtPeriodEnd: false,
        cardOnFile: true,
        observedAt: '2026-11-21T12:00:00.000Z',
      },
      'checkout.started': { planId: 'starter', interval: 'yearly', switched: false },
      'segments.added': { segments: [{ id: 'seg_1', ...segment }] },
      'segment.replaced': { segmentId: 'seg_1', ...segment },
      'segment.deleted': { segmentId: 'seg_1' },
      'site_event.recorded': {
        ...id,
        websiteId: null,
        date: '2026-11-21',
        time: null,
        title: 't',
        category: null,
        description: null,
        createdBy: 'CI (…abcd)',
        automatic: true,
      },
      'site_event.deleted': { ...id, websiteId: 'web_1' },
      'bot.suppressed': { websiteId: 'web_1', crawler: 'Googlebot', until: 'x', reason: null },
      'bot.suppression_ended': {},
      'recommendation.resolved': { websiteId: 'web_1', key: '404:/old' },
      'recommendation.reopened': {},
      'alert.acknowledged': { websiteId: 'web_1' },
      'webhook_secret.made': { websiteId: 'web_1', keyName: 'org_1/0a', salt: 'text' },
      'connection.made': {
        ...{ websiteId: 'web_1', kind: 'google-search-console', sourceId: 'src_1' },
        ...{ property: 'sc-domain:example.com', propertyName: null, credential: '1:org_1/0a:AAAA' },
      },
      'connection.removed': { websiteId: 'web_1', kind: 'google-search-console' },
      'alert_settings.changed': {
        websiteId: 'web_1',
        settings: { alerts_enabled: false, min_email_severity: 3, webhook_urls: ['https://hook.example/'] },
      },
      'report_quota.taken': {},
      'export.requested': {
        ...id,
        exportId: 'exp_1',
        websiteId: 'web_1',
        apiKeyId: 'key_1',
        userId: null,
        exportType: 'paths',
        notify: true,
        filters: '{}',
        question: '{}',
        description: 'Paths',
      },
      'export.started': { exportId: 'exp_1', attempt: 1 },
      'export.failed': { exportId: 'exp_1', reason: 'r', retryAt: null },
      'export.returned': { exportId: 'exp_1', attempt: 1 },
      'export.completed': { exportId: 'exp_1', file: { key: 'k', rows: 1, bytes: 2, sha256: 'd' } },
      'export.cancelled': { exportId: 'exp_1' },
      'export.expired': { exportId: 'exp_1' },
      'export_schedule.set': { websiteId: 'web_1', format: 'parquet', from: '2026-11-20' },
      'export_schedule.removed': { websiteId: 'web_1' },
      'crawl.requested': {
        ...{ crawlId: '20261121T120000_0123abcd', websiteId: 'web_1', source: 'service_crawler' },
        ...{ trigger: 'manual', seeds: ['https://shop.example/'], maxPages: 5_000, renderJs: false },
        ...{ queryKeys: ['page'], drops: ['20261101T120000_0123abcd'] },
      },
      'crawl.started': { crawlId: 'c', attempt: 1 },
      'crawl.returned': { crawlId: 'c', attempt: 1 },
      'crawl.postponed': { crawlId: 'c', retryAt: '2026-11-21T12:01:00.000Z' },
      'crawl.ended': {
        ...{ crawlId: 'c', status: 'ready', error: null },
        counts: {
          ...{ urlCount: 9, indexableCount: 8, status200: 8, unlinkedCount: 1, maxDepth: 3 },
          auditSummary: { high: 1, medium: 2, low: 3 },
        },
        delta: {
          ...{ previousCrawlId: 'b', new: 1, gone: 0, statusChanged: 1, titleChanged: 0 },
          ...{ canonicalChanged: 0, indexableChanged: 1 },
        },
      },
      'crawl_settings.changed': {
        ...{
          websiteId: 'web_1',
          autoCrawl: true,
          autoCrawlMaxPages: 500,
          renderJs: false,
          queryKeys: ['page'],
        },
      },
      'idempotency_key.claimed': { requestDigest: 'd' },
      'idempotency_key.answered': { sealedAnswer: 's' },
      'organisation.erased': { claims: ['c'] },
      'website.erased': { ...id, claims: ['c'] },
      'user.erased': { ...id, claims: ['c'] },
    };
    for (const { type, schema } of eventKinds) {
      const data = written[type];
      if (data !== undefined) expect(schema.parse(data)).toMatchObject(data);
    }
    expect(eventKinds.map(({ type }) => type).sort()).toEqual(Object.keys(written).sort());
  });

  test('an event that stands alone says so: where its kind is unknown, no decision that it is in is dropped', () => {
    const state = emptyState();
    evolve(state, decisionOf(created()));
    const noted = { aggregate: 'note', aggregateId: 'n', version: 0, type: 'note.made', data: {} };
    expect(evolve(state, decisionOf(noted, planChanged(2, 'scale')))).toBe(true);
    expect(evolve(state, decisionOf(noted, planChanged(3, 'basic')))).toBe(true);
    expect(state.organisations.get('org_1')?.planId).toBe('basic');
    expect([...state.versions.keys()]).toEqual(['organisation/org_1']);
  });

  test('every kind that stands alone is written without a version', () => {
    const decider = createDecider();
    const organisationId = decider.do({ type: 'createOrganisation', name: 'Shop' }).id;
    const { website } = decider.do({ type: 'createWebsite', organisationId, domain: 'shop.example' });
    const websiteId = website.id;
    const entry = { title: 't', date: '2026-11-21', createdBy: 'k' };
    const commands: Command[] = [
      { type: 'recordSiteEvent', websiteId, ...entry },
      { type: 'deleteSiteEvent', websiteId, eventId: 'sev_1' },
      { type: 'acknowledgeAlert', websiteId, alertId: 'a' },
      {
        type: 'startCheckout',
        organisationId,
        customerId: 'cus_1',
        planId: 'starter',
        interval: 'monthly',
        switched: false,
      },
    ];
    const lone = new Set(eventKinds.filter((kind) => kind.projectionOnly).map(({ type }) => type));
    const written = commands.flatMap((command) => {
      const generated = { id: 'd', keyId: 'k', secret: 's' };
      const result = decide(decider.state, command, { now: decider.now, generated });
      return 'events' in result ? result.events.filter(({ type }) => lone.has(type)) : [];
    });
    expect(written.map(({ version }) => version)).toEqual(written.map(() => 0));
    expect(new Set(written.map(({ type }) => type))).toEqual(lone);
  });

  test('an event that stands alone holds whatever its version, and leaves no trace', () => {
    const state = emptyState();
    const acknowledged = {
      aggregate: 'alert',
      aggregateId: 'a#1',
      version: 7,
      type: 'alert.acknowledged',
      data: { websiteId: 'web_1' },
    };
    expect(evolve(state, decisionOf(acknowledged))).toBe(true);
    expect(evolve(state, decisionOf(acknowledged))).toBe(true);
    expect(state.versions.size).toBe(0);
    // It goes down with a decision that does not hold.
    evolve(state, decisionOf(created()));
    expect(evolve(state, decisionOf(acknowledged, created()))).toBe(false);
  });

  test('no two kinds share a name', () => {
    expect(new Set(eventKinds.map(({ type }) => type)).size).toBe(eventKinds.length);
  });
});
