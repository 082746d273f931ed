import { HOUR_MS } from '../../shared/durations.js';
import { TEST_NOW } from './api.js';
import { googlebot, storedRequest } from './stored-requests.js';

/** Requests of every kind, in the last three hours and in the period before. */
export function trafficOf(website_id: string) {
  return Array.from({ length: 120 }, (_, index) => {
    const at = {
      website_id,
      timestamp: TEST_NOW - 60_000 - index * Math.floor(HOUR_MS / 4),
      log_index: index,
      // The path of the parameters' examples is in no segment of /page.
      path: index % 7 === 6 ? '/products/blue-shirt' : `/page/${index % 7}`,
      status: [200, 200, 301, 404, 500, 403, 200][index % 7]!,
    };
    if (index % 5 === 0) return storedRequest({ ...at, ...googlebot });
    if (index % 5 === 1) {
      return storedRequest({
        ...at,
        ...googlebot,
        client_ip: '2001:db8::7',
        bot_verification: index % 2 === 0 ? 'spoofed' : 'pending',
      });
    }
    if (index % 5 === 2) {
      return storedRequest({
        ...at,
        referrer: 'https://chatgpt.com/',
        referrer_domain: 'chatgpt.com',
        referrer_class: 'ai',
        ai_operator: 'OpenAI',
        time_taken_ms: null,
      });
    }
    if (index % 10 === 3) {
      return storedRequest({
        ...at,
        is_bot: true,
        traffic_class: 'ai_bot',
        bot_name: 'ChatGPT-User',
        bot_family: 'OpenAI',
        bot_operator: 'OpenAI',
        bot_category: 'ai',
        ai_intent: 'fetcher',
        bot_verification: 'verified',
      });
    }
    return storedRequest(at);
  });
}
