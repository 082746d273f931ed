import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCrawlerRules } from '../../shared/crawlers/crawler-rules.js';
import { loadReferrerList } from '../../shared/crawlers/referrers.js';
import type { Enrichment } from '../../shared/requests/enriched-request.js';
import {
  deviceTypes,
  referrerClasses,
  trafficClasses,
  type VerificationStatus,
} from '../../shared/requests/enriched-request.js';
import type { RawRequest } from '../../shared/requests/raw-request.js';
import { columnsOf } from '../../test/harness/columns-of.js';
import { enrichmentAt } from '../../test/harness/enrich-each.js';
import { ruleDataOfDay } from '../../test/harness/rules-of-day.js';
import { createEnrich, type EnrichDependencies } from './enrich.js';
import { plainRequest } from './sink/plain-request.js';

const rules = createCrawlerRules(ruleDataOfDay('2026-11-21'));
const fixed: EnrichDependencies = {
  rules,
  dnsVerifier: { verdictOf: () => 'pending' },
  locate: () => ({
    country: 'DE',
    region: 'Hesse',
    city: 'Frankfurt am Main',
    asn: 64500,
    as_name: 'Example',
  }),
  referrers: loadReferrerList(),
  websiteDomain: (id) => (id === 'site' ? 'example.com' : null),
  retentionDays: () => 30,
};

const block = { website_id: 'site', source: 'test', upload_id: 'u', received_at: 0 };

/** Enriches each request in a separate block. */
function createEnrichRequest(deps: EnrichDependencies) {
  const enrich = createEnrich(deps);
  return (head: typeof block, alone: RawRequest): Enrichment =>
    enrichmentAt(enrich({ ...head, columns: columnsOf([alone]) }), 0);
}

const request = plainRequest({
  host: 'example.com',
  target: '/shop/shoes.html?utm_source=chatgpt.com',
  user_agent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
});

describe('enrich', () => {
  test('classifies equal requests of one block by the rules of their own time', () => {
    const versionAt = (at: number) => (at < 1_000 ? 'before' : 'after');
    const times = [999, 1_000, 999];
    const columns = columnsOf(times.map((timestamp) => ({ ...request, timestamp })));
    const enriched = createEnrich({ ...fixed, rules: { ...rules, versionAt } })({ ...block, columns });
    const versions = times.map((_, row) => enrichmentAt(enriched, row).rules_version);
    expect(versions).toEqual(['before', 'after', 'before']);
  });

  test("adds place, device and sender to a person's request, and no bot fields", () => {
    expect(createEnrichRequest(fixed)(block, request)).toEqual({
      path: '/shop/shoes.html',
      query: 'utm_source=chatgpt.com',
      sent_target: '',
      file_type: 'html',
      is_bot: false,
      is_probe: false,
      traffic_class: 'human',
      bot_name: '',
      bot_variant: '',
      bot_family: '',
      bot_operator: '',
      bot_category: '',
      ai_intent: '',
      bot_verification: '',
      verification_method: '',
      rules_version: rules.versionAt(request.timestamp),
      country: 'DE',
      region: 'Hesse',
      city: 'Frankfurt am Main',
      asn: 64500,
      as_name: 'Example',
      browser: 'Chrome',
      os: 'Windows',
      device_type: 'desktop',
      referrer_domain: '',
      referrer_class: 'ai',
      ai_operator: 'OpenAI',
    });
  });

  test('a claim that DNS has not decided yet is unverifiable if addresses expire before the requests, since no verdict could be matched', () => {
    const claim = {
      ...request,
      client_ip: '198.51.100.7',
      user_agent: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    };
    const enriched = (addressDays: number | null) =>
      createEnrichRequest({ ...fixed, privacyOf: () => ({ addressDays, botsOnly: false }) })(block, claim);
    expect(enriched(null).bot_verification).toBe('pending');
    expect(enriched(7).bot_verification).toBe('unverifiable');
  });

  test.each([
    ['66.249.66.1', 'Googlebot/2.1', 'search_bot', 'verified'],
    ['192.0.2.1', 'Googlebot/2.1', 'search_bot', 'pending'],
    ['20.171.206.9', 'GPTBot/1.2', 'ai_bot', 'verified'],
    ['192.0.2.1', 'GPTBot/1.2', 'spoofed_bot', 'spoofed'],
    ['192.0.2.1', 'Bytespider', 'ai_bot', 'unverifiable'],
    ['192.0.2.1', 'curl/8.5.0', 'other_bot', 'unverifiable'],
    ['192.0.2.1', '', 'other_bot', 'unverifiable'],
  ])('from %s, %s is %s and %s', (client_ip, user_agent, traffic_class, bot_verification) => {
    const row = createEnrichRequest(fixed)(block, {
      ...{ ...request, client_ip, user_agent },
      timestamp: Date.parse('2026-11-20'),
    });
    expect(row).toMatchObject({
      is_bot: true,
      traffic_class,
      bot_verification,
      browser: '',
      os: '',
      device_type: 'bot',
    });
  });

  test.each([
    ['2026-11-20', 'spoofed'],
    // The list is some months old by then.
    ['2027-02-20', 'unverifiable'],
  ])('GPTBot from an address outside its list is on %s %s', (day, verification) => {
    const row = createEnrichRequest(fixed)(block, {
      ...{ ...request, client_ip: '192.0.2.1', user_agent: 'GPTBot/1.2' },
      timestamp: Date.parse(day),
    });
    expect(row).toMatchObject({ bot_verification: verification, verification_method: 'ranges' });
  });

  test('a crawler from its operator’s own network is verified, even if the list lacks its address', () => {
    const locate = () => ({ country: 'US', region: '', city: '', asn: 32934, as_name: 'Facebook, Inc.' });
    const row = createEnrichRequest({ ...fixed, locate })(block, {
      ...{ ...request, client_ip: '198.51.100.7', user_agent: 'meta-externalagent/1.1' },
      timestamp: Date.parse('2026-11-20'),
    });
    expect(row).toMatchObject({ bot_verification: 'verified', verification_method: 'network' });
  });

  test.each([
    ['20.171.206.9', '', 'OpenAI', 'ranges'],
    ['216.73.216.10', 'AI Assistant', 'Anthropic', 'ranges'],
    ['192.0.2.1', 'AI Assistant', '', 'cdn'],
  ])(
    'classifies a browser’s user agent from %s, CDN "%s", as neither a person nor a named bot',
    (client_ip, cdn_bot_category, bot_operator, verification_method) => {
      const row = createEnrichRequest(fixed)(block, { ...request, client_ip, cdn_bot_category });
      expect(row).toMatchObject({
        traffic_class: 'undeclared_agent',
        is_bot: false,
        bot_name: '',
        bot_family: '',
        bot_category: '',
        bot_operator,
        bot_verification: 'undeclared',
        verification_method,
        device_type: 'desktop',
      });
    },
  );

  test('accepts a declared bot from any address', () => {
    const row = createEnrichRequest(fixed)(block, {
      ...request,
      client_ip: '20.171.206.9',
      user_agent: 'GPTBot/1.2',
    });
    expect(row).toMatchObject({ traffic_class: 'ai_bot', bot_name: 'GPTBot', verification_method: 'ranges' });
  });

  test('uses a verdict that arrived between two requests, although the user agent is cached', () => {
    let status: 'pending' | 'verified' = 'pending';
    const enrich = createEnrichRequest({ ...fixed, dnsVerifier: { verdictOf: () => status } });
    const bot = { ...request, user_agent: 'YandexBot/3.0' };
    expect(enrich(block, bot).bot_verification).toBe('pending');
    status = 'verified';
    expect(enrich(block, bot).bot_verification).toBe('verified');
  });

  test('does not count an impostor as the claimed bot, but counts an undecided claim as it', () => {
    const withVerdict = (status: VerificationStatus) =>
      createEnrichRequest({ ...fixed, dnsVerifier: { verdictOf: () => status } });
    const claiming = (user_agent: string) => ({ ...request, client_ip: '192.0.2.1', user_agent });
    const classes = (status: VerificationStatus) =>
      ['Googlebot/2.1', 'YandexBot/3.0', 'PetalBot'].map(
        (name) => withVerdict(status)(block, claiming(name)).traffic_class,
      );
    expect(new Set(classes('spoofed'))).toEqual(new Set(['spoofed_bot']));
    expect(new Set(classes('pending'))).toEqual(new Set(['search_bot']));
    expect(withVerdict('spoofed')(block, claiming('Googlebot/2.1'))).toMatchObject({
      bot_name: 'Googlebot',
      bot_category: 'search',
      is_bot: true,
    });
  });

  test('calls each step once for equal rows, with the same result for each row as alone', () => {
    const anyRequest = fc.record({
      timestamp: fc.constantFrom(...['2020-01-01', '2026-08-21', '2026-11-20'].map(Date.parse)),
      user_agent: fc.constantFrom('Googlebot/2.1', 'GPTBot/1.2', request.user_agent),
      target: fc.constantFrom(
        '/a?utm_source=chatgpt.com',
        '/a',
        '/b.png?x',
        '/.env',
        '/wp-login.php',
        '*',
        '',
      ),
      status: fc.constantFrom(200, 404),
      content_type: fc.constantFrom('', 'text/css'),
      referrer: fc.constantFrom('', 'https://www.bing.com/chat', 'https://example.com/'),
      host: fc.constantFrom('', 'example.com', 'bing.com'),
      client_ip: fc.constantFrom('192.0.2.1', '20.171.206.9', '66.249.66.1'),
      source_country: fc.constantFrom('', 'FR'),
      source_asn: fc.constantFrom(null, 0, 64_501),
      cdn_bot_category: fc.constantFrom('', 'AI Crawler'),
    });
    const located = {
      ...fixed,
      websiteDomain: () => null,
      locate: (ip: string, country: string, asn: number | null) => ({
        country,
        region: ip,
        city: '',
        asn: asn ?? 1,
        as_name: '',
      }),
    };
    const alone = createEnrichRequest(located);
    const together = createEnrich(located);
    fc.assert(
      fc.property(fc.array(anyRequest, { minLength: 1, maxLength: 60 }), (given) => {
        const requests = given.map((fields) => ({ ...request, ...fields }));
        const enriched = together({ ...block, columns: columnsOf(requests) });
        for (const [row, one] of requests.entries())
          expect(enrichmentAt(enriched, row)).toEqual(alone(block, one));
      }),
      { numRuns: 60 },
    );
  });

  test('distinguishes a user agent from the one before it at any length', () => {
    const warm = createEnrichRequest(fixed);
    for (const user_agent of [
      'Googlebot/2.1',
      'u'.repeat(2_000),
      '',
      'Googlebot/2.1',
      '',
      'u'.repeat(2_001),
    ]) {
      const raw = { ...request, user_agent };
      expect(warm(block, raw)).toEqual(createEnrichRequest(fixed)(block, raw));
    }
  });

  test('returns the same from caches as without them, for any request', () => {
    const warm = createEnrichRequest({ ...fixed, cacheSize: 3 });
    const anyRequest = fc.record({
      user_agent: fc.oneof(
        fc.constantFrom('Googlebot/2.1', 'GPTBot/1.2', 'curl/8', '-', request.user_agent),
        fc.string({ unit: 'binary' }),
      ),
      target: fc.oneof(fc.webPath(), fc.string({ unit: 'binary' })),
      referrer: fc.oneof(
        fc.webUrl(),
        fc.constantFrom('https://www.bing.com/chat', 'https://www.bing.com/'),
        fc.string(),
      ),
      host: fc.constantFrom('', 'example.com'),
      client_ip: fc.constantFrom('192.0.2.1', '20.171.206.9', '66.249.66.1'),
      cdn_bot_category: fc.constantFrom('', '', 'AI Crawler'),
    });
    fc.assert(
      fc.property(anyRequest, (fields) => {
        const raw = { ...request, ...fields };
        const row = warm(block, raw);
        expect(createEnrichRequest(fixed)(block, raw)).toEqual(row);
        expect(trafficClasses).toContain(row.traffic_class);
        expect(deviceTypes).toContain(row.device_type);
        expect(referrerClasses).toContain(row.referrer_class);
        expect(row.is_bot).toBe(!['', 'undeclared'].includes(row.bot_verification));
        expect(row.traffic_class === 'human').toBe(row.bot_verification === '');
        expect(row.traffic_class === 'undeclared_agent').toBe(row.bot_verification === 'undeclared');
        expect(row.traffic_class === 'spoofed_bot').toBe(row.bot_verification === 'spoofed');
      }),
      { numRuns: 60 },
    );
  });
});
