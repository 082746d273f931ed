import fc from 'fast-check';
import type { Enrichment, VerificationStatus } from '../../shared/requests/enriched-request.js';
import { type StoredRequest, storedRequest } from '../harness/stored-requests.js';

/** Random but repeatable requests, spread so that every rollup has many keys, hours, days and two months. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The clock of the truth tests: within an hour and a day, and three days into a month. */
export const NOW = Date.UTC(2026, 10, 3, 14, 37, 21, 123);

/** When NewBot's entry in the table of crawlers was corrected. */
const CORRECTED_AT = NOW - 20 * HOUR;

/** Requests are before the current time. */
const LAST = NOW - 1;

const share = (maximum: number) => fc.integer({ min: 0, max: maximum });

/** Half of the traffic in the last two days, and some exactly on the edges of buckets and windows. */
const instants = fc.oneof(
  { weight: 10, arbitrary: share(2 * DAY).map((ago) => LAST - ago) },
  { weight: 9, arbitrary: share(80 * DAY).map((ago) => LAST - ago) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          NOW,
          NOW - DAY,
          NOW - 2 * DAY,
          NOW - 7 * DAY,
          Date.UTC(2026, 10, 1),
          Date.UTC(2026, 10, 2, 12),
        ),
        fc.integer({ min: -1, max: 1 }),
      )
      .map(([edge, shift]) => Math.min(edge + shift, LAST)),
  },
);

const countries = ['DE', 'US', 'FR', 'JP', 'BR', ''];

/** Half for one host; also an invented one and none. */
const hosts = [
  'www.example.com',
  'www.example.com',
  'www.example.com',
  'shop.example.com',
  'm.example.com',
  'xn--bcher-kva.example',
  '',
];

/** The place of an address follows from the address, as with a real database. */
function placeOf(index: number): Partial<StoredRequest> {
  const country = countries[Math.floor(index / 7) % countries.length]!;
  return {
    client_ip:
      index % 6 === 5
        ? `2001:db8:${(index % 4) + 1}:${index.toString(16)}::1`
        : `198.51.${100 + (index % 9)}.${index % 250}`,
    country,
    region: country === '' ? '' : `Region ${index % 3}`,
    city: country === '' ? '' : `${country}ville ${index % 5}`,
    asn: country === '' ? 0 : 64_500 + (index % 11),
    as_name: country === '' ? '' : `Network "${index % 11}"`,
  };
}

type Bot = Partial<Enrichment> & { bot_name: string; verifiable: boolean };

const bots: Bot[] = [
  {
    bot_name: 'Googlebot',
    bot_family: 'Google',
    bot_operator: 'Google',
    traffic_class: 'search_bot',
    bot_category: 'search',
    bot_variant: 'smartphone',
    verifiable: true,
  },
  {
    bot_name: 'Googlebot',
    bot_family: 'Google',
    bot_operator: 'Google',
    traffic_class: 'search_bot',
    bot_category: 'search',
    bot_variant: 'desktop',
    verifiable: true,
  },
  {
    bot_name: 'Googlebot-Image',
    bot_family: 'Google',
    bot_operator: 'Google',
    traffic_class: 'search_bot',
    bot_category: 'search',
    verifiable: true,
  },
  {
    bot_name: 'bingbot',
    bot_family: 'Bing',
    bot_operator: 'Microsoft',
    traffic_class: 'search_bot',
    bot_category: 'search',
    verifiable: true,
  },
  {
    bot_name: 'GPTBot',
    bot_family: 'OpenAI',
    bot_operator: 'OpenAI',
    traffic_class: 'ai_bot',
    bot_category: 'ai',
    ai_intent: 'training',
    verifiable: true,
  },
  {
    bot_name: 'ChatGPT-User',
    bot_family: 'OpenAI',
    bot_operator: 'OpenAI',
    traffic_class: 'ai_bot',
    bot_category: 'ai',
    ai_intent: 'fetcher',
    verifiable: true,
  },
  {
    bot_name: 'PerplexityBot',
    bot_family: 'Perplexity',
    bot_operator: 'Perplexity',
    traffic_class: 'ai_bot',
    bot_category: 'ai',
    ai_intent: 'search',
    verifiable: true,
  },
  {
    bot_name: 'Bytespider',
    bot_family: 'ByteDance',
    bot_operator: 'ByteDance',
    traffic_class: 'ai_bot',
    bot_category: 'ai',
    ai_intent: 'training',
    verifiable: false,
  },
  {
    bot_name: 'NoPurposeBot',
    bot_family: 'NoPurposeBot',
    bot_operator: '',
    traffic_class: 'ai_bot',
    bot_category: 'ai',
    verifiable: false,
  },
  {
    bot_name: "It's a\\bot\t#1",
    bot_family: 'tools',
    bot_operator: '',
    traffic_class: 'other_bot',
    bot_category: 'tool',
    verifiable: false,
  },
  ...['AcmeFetch', 'Übercrawler', 'aBot'].map((bot_name) => ({
    bot_name,
    bot_family: bot_name,
    bot_operator: '',
    traffic_class: 'other_bot' as const,
    bot_category: 'other' as const,
    verifiable: false,
  })),
  {
    bot_name: 'NewBot',
    bot_family: 'New',
    bot_operator: 'New Inc.',
    traffic_class: 'other_bot',
    bot_category: 'other',
    verifiable: true,
  },
];

const paths = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '/',
      '/shop',
      '/shop/',
      "/it's%5Chere",
      '/%C3%BCber',
      '/tab%09here',
      '/%2Fenc',
      '',
    ),
  },
  { weight: 4, arbitrary: share(60).map((index) => `/shop/product-${index}`) },
  { weight: 3, arbitrary: share(3_000).map((index) => `/archive/${index}`) },
);

const queries = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: share(30).map((index) => `page=${index}&sort=price`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'sort=price&page=2',
      'homepage=1',
      'PAGE=2',
      "q=it's%5C",
      'q=%C3%BC',
      'flag',
      '%C3%BC=1',
    ),
  },
);

const statuses = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(200, 200, 200, 206, 301, 304) },
  { weight: 3, arbitrary: fc.constantFrom(401, 402, 403, 429, 451, 404, 410) },
  { weight: 1, arbitrary: fc.constantFrom(0, 101, 500, 502, 503, 599) },
);

const ASSISTANT = { referrer_domain: 'chatgpt.com', referrer_class: 'ai', ai_operator: 'OpenAI' } as const;

const referrers: Partial<StoredRequest>[] = [
  {},
  {},
  { referrer_domain: 'google.com', referrer_class: 'search' },
  { referrer_domain: 'bing.com', referrer_class: 'search' },
  ASSISTANT,
  { referrer_domain: '', referrer_class: 'ai', ai_operator: 'Perplexity' },
  { referrer_domain: 'example.com', referrer_class: 'internal' },
  { referrer_domain: 'blog.example', referrer_class: 'external' },
  { referrer_domain: 'spam.example', referrer_class: 'spam' },
  { referrer_domain: 'blog.example', referrer_class: 'ai', ai_operator: 'OpenAI' },
];

const devices: Partial<StoredRequest>[] = [
  { browser: 'Chrome', os: 'Windows', device_type: 'desktop' },
  { browser: 'Chrome', os: 'Android', device_type: 'mobile' },
  { browser: 'Safari', os: 'iOS', device_type: 'mobile' },
  { browser: 'Safari', os: 'iOS', device_type: 'tablet' },
  { browser: '', os: '', device_type: 'other' },
];

/**
 * One of few readers whom assistants send to few pages repeatedly: visits, reloads, and landings on the edges
 * of half hours.
 */
const readers = fc.record({
  timestamp: fc
    .tuple(share(12), fc.constantFrom(0, 0, 1), fc.constantFrom(-1, 0, 0, 1))
    .map(([steps, days, shift]) => NOW - (NOW % (15 * MINUTE)) - steps * 15 * MINUTE - days * DAY + shift),
  place: share(1),
  path: fc.constantFrom('/shop', "/it's%5Chere"),
  user_agent: fc.constantFrom('Firefox', 'Safari'),
  status: fc.constantFrom(200, 200, 200, 404, 503, 304),
  method: fc.constantFrom('GET', 'GET', 'GET', ''),
  file_type: fc.constant('html'),
  agent: fc.constant(null),
});

const requests = fc
  .record({
    timestamp: instants,
    place: share(700),
    path: paths,
    query: queries,
    status: statuses,
    method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', ''),
    file_type: fc.constantFrom('html', 'html', 'html', 'php', 'png', 'pdf'),
    bytes_sent: fc.integer({ min: 0, max: 5_000_000 }),
    time_taken_ms: fc.option(fc.oneof(share(40), share(900), share(30_000)), { freq: 8 }),
    referrer: fc.constantFrom(...referrers),
    device: fc.constantFrom(...devices),
    bot: fc.option(fc.constantFrom(...bots), { freq: 2 }),
    claim: fc.constantFrom<VerificationStatus>('verified', 'verified', 'spoofed', 'pending', 'pending'),
    agent: fc.constantFrom(null, null, null, null, null, null, 'OpenAI', 'Anthropic', ''),
    reader: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: readers }),
    rules_version: fc.constantFrom('', '2026-10/2026-08-20/aaaaaaaa', '2026-11/2026-08-21/bbbbbbbb'),
  })
  .map(({ reader, ...request }) => {
    const { place, referrer, device, bot, claim, agent, ...plain } = { ...request, ...reader };
    return {
      ...plain,
      host: hosts[plain.timestamp % hosts.length]!,
      ...placeOf(place),
      ...referrer,
      ...(bot !== null ? asBot(bot, claim, plain.timestamp) : { ...device, ...asAgent(agent) }),
      ...(reader === null || bot !== null ? {} : ASSISTANT),
      ...(plain.path === '' ? { query: '', file_type: '' } : {}),
    };
  });

/** A browser's user agent that does not belong to a person. */
function asAgent(operator: string | null): Partial<StoredRequest> {
  if (operator === null) return {};
  return {
    traffic_class: 'undeclared_agent',
    bot_operator: operator,
    bot_verification: 'undeclared',
    verification_method: operator === '' ? 'cdn' : 'ranges',
  };
}

function asBot(bot: Bot, claim: VerificationStatus, timestamp: number): Partial<StoredRequest> {
  const { verifiable, ...named } = bot;
  return {
    ...named,
    ...(bot.bot_name === 'NewBot' && timestamp >= CORRECTED_AT
      ? { bot_category: 'seo', bot_operator: 'Newer Inc.' }
      : {}),
    is_bot: true,
    user_agent: `${bot.bot_name}/1.${timestamp % 5}`,
    device_type: 'bot',
    browser: '',
    os: '',
    bot_verification: verifiable ? claim : 'unverifiable',
    verification_method: !verifiable
      ? ''
      : claim === 'verified' && timestamp % 3 === 0
        ? 'cdn'
        : 'reverse_dns',
    ...(verifiable && claim === 'spoofed' ? { traffic_class: 'spoofed_bot' } : {}),
  };
}

/** The same rows for the same seed. */
export function randomRequests(websiteId: string, rows: number, seed: number): StoredRequest[] {
  return fc
    .sample(requests, { numRuns: rows, seed })
    .map((request, index) => storedRequest({ ...request, website_id: websiteId, log_index: index }));
}

export interface Verdict {
  readonly bot_family: string;
  readonly client_ip: string;
  readonly status: 'verified' | 'spoofed' | 'unverifiable';
}

/** Later verdicts for most of the pending claims; the others stay pending. */
export function laterVerdicts(rows: readonly StoredRequest[]): Verdict[] {
  const pending = new Map<string, Verdict>();
  for (const { bot_verification, bot_family, client_ip } of rows) {
    const lot = (client_ip.length * 7 + client_ip.charCodeAt(client_ip.length - 1)) % 4;
    if (bot_verification !== 'pending' || lot === 0) continue;
    pending.set(`${bot_family} ${client_ip}`, {
      bot_family,
      client_ip,
      status: lot === 1 ? 'verified' : lot === 2 ? 'spoofed' : 'unverifiable',
    });
  }
  return [...pending.values()];
}
