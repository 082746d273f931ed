import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { insertAlert } from '../alerts.js';
import { TEST_NOW } from '../api.js';
import type { TestClickHouse } from '../clickhouse.js';
import { googlebot, insertStored, type StoredRequest, storedRequest } from '../stored-requests.js';
import { insertVerdicts } from '../stored-verdicts.js';

/** Requests and alerts of a website that lead to recommendations, with their scores. */

export const HOUR_AGO = TEST_NOW - HOUR_MS;

/** The same for every website, except for the culprits' network. */
function makeRequests(website_id: string, network: string): StoredRequest[] {
  let index = 0;
  const some = (times: number, given: Partial<StoredRequest>) =>
    Array.from({ length: times }, (_, at) =>
      storedRequest({ website_id, timestamp: HOUR_AGO - at * MINUTE_MS, log_index: index++, ...given }),
    );
  const from = (host: number) => ({
    client_ip: `${network}.${host}`,
    asn: 64_500,
    as_name: 'Rented Servers',
    country: 'NL',
  });
  const scanner = {
    ...from(9),
    user_agent: 'sqlmap/1.8',
    status: 404,
    is_bot: true,
    traffic_class: 'other_bot',
    bot_name: 'sqlmap',
    bot_family: 'sqlmap',
    bot_category: 'security',
    bot_verification: 'unverifiable',
  } as const;
  const impostor = { ...googlebot, bot_verification: 'spoofed', traffic_class: 'spoofed_bot' } as const;
  const gptbot = {
    ...impostor,
    bot_name: 'GPTBot',
    bot_family: 'OpenAI',
    bot_operator: 'OpenAI',
    bot_category: 'ai',
    user_agent: 'Mozilla/5.0 (compatible; GPTBot/1.2)',
  } as const;
  return [
    ...some(20, { ...scanner, path: '/wp-login.php' }),
    ...some(20, { ...scanner, path: '/.env' }),
    ...some(30, { ...from(10), path: '/p/1', user_agent: 'python-requests/2' }),
    ...some(30, { ...from(11), asn: 13_335, as_name: 'Cloudflare', path: '/p/2' }),
    ...some(30, { client_ip: '10.0.0.7', path: '/p/3' }),
    ...some(25, { ...impostor, ...from(30), path: '/shop' }),
    ...some(12, { ...gptbot, ...from(31), status: 403, path: '/shop' }),
    ...some(3, { ...googlebot, ...from(32), bot_verification: 'pending', path: '/shop' }),
    // Verified by its address, and an impostor of another crawler from the same published range.
    ...some(15, { ...googlebot, path: '/shop' }),
    ...some(20, { ...impostor, client_ip: '66.249.66.5', bot_name: 'bingbot', bot_family: 'Bing' }),
    ...some(6, { path: `/old-page/${network}`, status: 404 }),
    ...some(4, { ...googlebot, path: `/old-page/${network}`, status: 404 }),
    ...some(5, { path: `/old-page/${network}`, status: 404, timestamp: TEST_NOW - 2 * DAY_MS }),
    ...some(3, { path: '/also', status: 404 }),
    ...some(5, { path: '/also' }),
    ...some(9, { path: '/forbidden', status: 403 }),
    ...some(9, { path: '/gone', status: 410 }),
    ...some(8, { path: '/slow', time_taken_ms: 2_000 }),
    ...some(2, { ...googlebot, path: '/slow', time_taken_ms: 4_500 }),
    ...some(2, { path: '/slow-once', time_taken_ms: 9_000 }),
    ...some(9, { path: '/fast', time_taken_ms: 999 }),
  ];
}

export async function storeWorld(
  { clickhouse }: TestClickHouse,
  websiteId: string,
  network: string,
): Promise<void> {
  await insertStored(clickhouse, makeRequests(websiteId, network), { deduplicationToken: websiteId });
  await insertVerdicts(
    clickhouse,
    [{ websiteId, family: 'Google', clientIp: `${network}.32`, status: 'spoofed', decidedAt: TEST_NOW }],
    `verdicts ${websiteId}`,
  );
  const alert = (alertId: string, given: Partial<Parameters<typeof insertAlert>[1]>) =>
    insertAlert(clickhouse, { websiteId, alertId, createdAt: HOUR_AGO, ...given });
  await alert('probe', {
    type: 'hacking_probe',
    subject: `${network}.9`,
    details: { sample_paths: ['/.env'] },
  });
  const addresses = [`${network}.10`, `${network}.11`].map((ip) => ({ ip }));
  await alert('scrape', { type: 'scraper', subject: '', details: { addresses } });
  await alert('proved', { type: 'scraper', subject: '66.249.66.1' });
  await alert('own', { type: 'scraper', subject: '10.0.0.7' });
  await alert('old', {
    type: 'scraper',
    subject: `${network}.31`,
    createdAt: TEST_NOW - 3 * DAY_MS + MINUTE_MS,
  });
  await alert('fake', {
    type: 'fake_crawler',
    subject: 'Googlebot',
    details: { addresses: [{ ip: `${network}.30` }] },
  });
}

export const score = (value: number) => Math.round(value * 100) / 100;
export const powers = (value: number) => Math.log10(1 + value);
