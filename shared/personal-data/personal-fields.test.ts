import { expect, test } from 'vitest';
import { eventKinds } from '../control/decide/kinds.js';
import { kindsWithPersonalFields, mapPersonalFields } from './personal-fields.js';

/** Ids, plans, times, digests: nothing that a person wrote. */
const without = [
  'organisation.plan_changed',
  'organisation.trial_started',
  'organisation.erased',
  'website.erased',
  'website.privacy_changed',
  'user.erased',
  'api_key.revoked',
  'api_key.seen',
  'api_key.refreshed',
  'ingest_key.created',
  'ingest_key.revoked',
  'unique_name.claimed',
  'checkout.started',
  'segment.deleted',
  'site_event.deleted',
  'alert.acknowledged',
  'webhook_secret.made',
  'connection.removed',
  'report_quota.taken',
  'export.started',
  'export.returned',
  'export.failed',
  'export.completed',
  'export.cancelled',
  'export.expired',
  'export_schedule.set',
  'export_schedule.removed',
  'crawl.uploaded',
  'crawl.started',
  'crawl.returned',
  'crawl.postponed',
  'idempotency_key.claimed',
];

test('every kind of event declares its personal fields', () => {
  const decided = [...kindsWithPersonalFields, ...without].sort();
  expect(decided).toEqual(eventKinds.map(({ type }) => type).sort());
});

test('placeholders of personal fields keep the event readable', () => {
  const data: Record<string, object> = {
    'segments.added': {
      segments: [
        {
          id: 's',
          name: 'secret',
          rules: [{ type: 'prefix', value: '/secret' }],
          excludeRules: [],
          notes: 'secret',
        },
      ],
    },
    'site_event.recorded': {
      organisationId: 'o',
      websiteId: null,
      date: '2026-11-21',
      time: null,
      title: 'secret',
      category: 'secret',
      description: 'secret',
      createdBy: 'secret',
      automatic: false,
    },
    'alert_settings.changed': {
      websiteId: 'w',
      settings: {
        alerts_enabled: true,
        suppressed_crawlers: ['secret'],
        suppressed_bots: ['secret'],
        webhook_urls: ['https://hook.example/secret'],
      },
    },
    'export.requested': {
      exportId: 'e',
      websiteId: 'w',
      organisationId: 'o',
      apiKeyId: 'k',
      userId: null,
      exportType: 'paths',
      notify: true,
      filters: '{"path_filter":"secret"}',
      question: '{"path":"secret"}',
      description: 'secret',
    },
    'connection.made': {
      websiteId: 'w',
      kind: 'google-search-console',
      sourceId: 's',
      property: 'sc-domain:secret.example',
      propertyName: 'secret',
      credential: '1:o/secret:secret',
    },
    'user.added': { organisationId: 'o', email: 'secret' },
  };
  for (const { type, schema } of eventKinds) {
    if (data[type] === undefined) continue;
    const erased = mapPersonalFields(type, data[type], (_value, placeholder) => placeholder);
    expect(JSON.stringify(erased)).not.toContain('secret');
    expect(schema.safeParse(erased).success).toBe(true);
  }
});
