import { beforeEach, expect, test } from 'vitest';
import { createDecider, type Decider } from '../../../test/harness/decider.js';
import { defaultAlertSettings } from '../../alerts/settings.js';
import { DAY_MS } from '../../durations.js';
import { evolve } from '../decide/fold.js';
import { copyState, deserialise, serialise } from '../snapshot/snapshot.js';
import { alertSettingsOf, suppressedNamesOf } from './alert-settings.js';

let decider: Decider;
let organisationId: string;
let websiteId: string;
beforeEach(() => {
  decider = createDecider();
  organisationId = decider.do({ type: 'createOrganisation', name: 'Shop' }).id;
  websiteId = decider.do({ type: 'createWebsite', organisationId, domain: 'shop.example' }).website.id;
});

const settings = () => alertSettingsOf(decider.state, websiteId);

test('the defaults apply until a setting is changed; earlier changes stay', () => {
  expect(settings()).toEqual(defaultAlertSettings);
  decider.do({ type: 'changeAlertSettings', websiteId, min_email_severity: 3 });
  const answer = decider.do({ type: 'changeAlertSettings', websiteId, suppressed_bots: ['AhrefsBot'] });
  expect(answer).toEqual({
    ...defaultAlertSettings,
    min_email_severity: 3,
    suppressed_bots: ['AhrefsBot'],
  });
  expect(settings()).toEqual(answer);
});

test('applies only to that website', () => {
  const other = decider.do({ type: 'createWebsite', organisationId, domain: 'b.example' }).website.id;
  decider.do({ type: 'changeAlertSettings', websiteId, alerts_enabled: false });
  expect(alertSettingsOf(decider.state, other)).toEqual(defaultAlertSettings);
});

test('an unchanged value creates no event', () => {
  const before = decider.state.versions.get(`alert_settings/${websiteId}`);
  decider.do({ type: 'changeAlertSettings', websiteId, alerts_enabled: true, webhook_urls: [] });
  expect(decider.state.versions.get(`alert_settings/${websiteId}`)).toBe(before);
});

test.each([
  [{ traffic_frequency_minutes: 7 }, /^traffic_frequency_minutes: /],
  [{ min_email_severity: 4 }, /^min_email_severity: /],
  [{ webhook_urls: ['ftp://hook.example/'] }, /^webhook_urls\.0: /],
  [{ email_disabled_types: ['no_such_type' as never] }, /^email_disabled_types\.0: /],
  [{ no_such_setting: true } as object, /no_such_setting/],
])('%j is refused with the name of the setting', (given, detail) => {
  const refusal = decider.refusal({ type: 'changeAlertSettings', websiteId, ...given });
  expect(refusal).toEqual({ code: 'invalid_request', detail: expect.stringMatching(detail) });
  expect(settings()).toEqual(defaultAlertSettings);
});

test('an unknown website is refused', () => {
  const refusal = decider.refusal({
    type: 'changeAlertSettings',
    websiteId: 'web_none',
    alerts_enabled: false,
  });
  expect(refusal.code).toBe('not_found');
});

test('a value that this release does not accept, set by a newer one, is replaced by the default', () => {
  const data = { websiteId, settings: { min_email_severity: 9, digest_send_hour_utc: 5, of_tomorrow: true } };
  const event = {
    aggregate: 'alert_settings',
    aggregateId: websiteId,
    version: 1,
    type: 'alert_settings.changed',
  };
  evolve(decider.state, {
    id: 'newer',
    at: '2026-11-21T12:00:00.000Z',
    by: 'admin',
    events: [{ ...event, data }],
  });
  expect(settings()).toEqual({ ...defaultAlertSettings, digest_send_hour_utc: 5 });
});

test('a snapshot preserves the settings', async () => {
  decider.do({ type: 'changeAlertSettings', websiteId, webhook_urls: ['https://hook.example/a,b'] });
  const state = await deserialise(serialise(copyState(decider.state)));
  expect(alertSettingsOf(state, websiteId)).toEqual(settings());
});

test('suppressed names are those of the settings and the active ones of the API, in lower case', () => {
  decider.do({
    type: 'changeAlertSettings',
    websiteId,
    suppressed_crawlers: ['Google'],
    suppressed_bots: ['AhrefsBot'],
  });
  decider.do({ type: 'suppressBot', websiteId, crawler: 'Bingbot', days: 2 });
  const names = (now: number) => [...suppressedNamesOf(decider.state, websiteId, now)].sort();
  expect(names(decider.now)).toEqual(['ahrefsbot', 'bingbot', 'google']);
  expect(names(decider.now + 2 * DAY_MS)).toEqual(['ahrefsbot', 'google']);
  const other = decider.do({ type: 'createWebsite', organisationId, domain: 'b.example' }).website.id;
  expect(suppressedNamesOf(decider.state, other, decider.now).size).toBe(0);
});
