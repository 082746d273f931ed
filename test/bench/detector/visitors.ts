import type { Random } from '../../../deploy/demo/traffic/random.js';
import type { BotCounts } from '../../../services/detector/counts/span-counts.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';

/** The visitors of every website besides its people, in means of five minutes. */

export interface BotRate
  extends Omit<BotCounts, 'requests' | 'notFound' | 'rejected' | 'status5xx' | 'samplePath'> {
  mean: number;
  notFoundShare: number;
  rejectedShare: number;
  status5xxShare: number;
}

interface UsualBot extends BotRate {
  /** Factor of its mean at a time. */
  rhythm(at: number): number;
}

/**
 * Offices behind one address are people too, so an event that keeps people away also keeps offices away. A
 * polling program and a scanner continue.
 */
export function keepAway(clients: readonly ClientRate[], left: number): void {
  for (const client of clients) {
    if (!client.isPerson) continue;
    client.pages *= left;
    client.others *= left;
  }
}

export interface ClientRate {
  readonly ip: string;
  readonly asn: number;
  readonly asName: string;
  pages: number;
  probes: number;
  others: number;
  /** Share of different paths among its pages and probes. */
  distinct: number;
  readonly isPerson: boolean;
}

interface UsualClient extends ClientRate {
  isActive(at: number): boolean;
}

/** [name, family, operator, category, verification, share of the people's requests] */
type Row = readonly [string, string, string, string, string, number];

const rows: readonly Row[] = [
  ['Googlebot', 'Google', 'Google', 'search', 'verified', 0.07],
  ['Googlebot-Image', 'Google', 'Google', 'search', 'verified', 0.01],
  ['bingbot', 'Bing', 'Microsoft', 'search', 'verified', 0.05],
  ['YandexBot', 'Yandex', 'Yandex', 'search', 'verified', 0.008],
  ['Baiduspider', 'Baidu', 'Baidu', 'search', 'unverifiable', 0.004],
  ['GPTBot', 'OpenAI', 'OpenAI', 'ai', 'verified', 0.02],
  ['ClaudeBot', 'Anthropic', 'Anthropic', 'ai', 'verified', 0.01],
  ['Bytespider', 'ByteDance', 'ByteDance', 'ai', 'unverifiable', 0.01],
  ['AhrefsBot', 'Ahrefs', 'Ahrefs', 'seo', 'verified', 0.03],
  ['UptimeRobot', 'UptimeRobot', 'UptimeRobot', 'monitoring', 'unverifiable', 0.001],
  ['python-requests', 'python-requests', '', 'tool', 'unverifiable', 0.003],
  ['Googlebot', 'Google', 'Google', 'search', 'spoofed', 0.0004],
  ['', '', 'OpenAI', 'ai', 'undeclared', 0.0005],
];

export function botRate(
  [name, family, operator, category, verification]: Row | readonly [string, string, string, string, string],
  mean: number,
): BotRate {
  return {
    ...{ name, family, operator, category, verification, mean },
    notFoundShare: 0.02,
    rejectedShare: name === 'Bytespider' ? 1 : 0.003,
    status5xxShare: 0.002,
    sampleIp: '192.0.2.7',
    sampleUserAgent: `Mozilla/5.0 (compatible; ${name}/1.0)`,
  };
}

export function usualBots(random: Random, peoplePerDay: number): UsualBot[] {
  const usual = rows.map((row): UsualBot => {
    const share = row[5] * (0.5 + random.next());
    const phase = random.next();
    const swing = 0.5 * random.next();
    // AI crawlers come in bouts of some hours.
    const isInBouts = row[3] === 'ai' && row[4] === 'verified';
    const period = (7 + 10 * random.next()) * HOUR_MS;
    // It comes for half an hour or an hour with a tenth of all requests, which the website refuses
    // deliberately.
    const isInBursts = row[0] === 'Bytespider';
    const bouts = (at: number) => {
      const place = (at / period + phase) % 1;
      if (isInBursts) return place < 0.06 ? 12 : 0.3;
      return isInBouts ? (place < 0.4 ? 2 : 0.3) : 1;
    };
    return {
      ...botRate(row, (peoplePerDay * share) / 288),
      rhythm: (at) => (1 + swing * Math.cos((at / DAY_MS + phase) * 2 * Math.PI)) * bouts(at),
    };
  });
  // Bots that come once with a few requests: new, but not worth an alert.
  const passing = Array.from({ length: 60 }, (_, index): UsualBot => {
    const first = random.int(60) * DAY_MS + random.int(24) * HOUR_MS;
    return {
      ...botRate([`Passing${index}`, `Passing${index}`, '', 'other', 'unverifiable'], 1),
      rhythm: (at) => {
        const since = (at % (60 * DAY_MS)) - first;
        return since >= 0 && since < HOUR_MS ? 0.8 : 0;
      },
    };
  });
  return [...usual, ...passing];
}

export function usualClients(random: Random, peoplePerDay: number): UsualClient[] {
  const perInterval = peoplePerDay / 288;
  // Offices behind one address: many pages, with all other files that browsers fetch.
  const offices = Array.from({ length: 3 }, (_, index): UsualClient => {
    const pages = Math.min(60, perInterval * (0.01 + 0.03 * random.next()));
    return {
      ...{ ip: `198.51.100.${index}`, asn: 3320, asName: 'Deutsche Telekom AG' },
      ...{ pages, probes: 0, others: pages * 4, distinct: 0.6, isPerson: true },
      isActive: (at) => at % DAY_MS > 7 * HOUR_MS && at % DAY_MS < 17 * HOUR_MS,
    };
  });
  // Scanners that try a few requests and leave.
  const scanners = Array.from({ length: 90 }, (_, index): UsualClient => {
    const at = random.int(60 * 288) * (DAY_MS / 288);
    return {
      ...{ ip: `203.0.113.${index}`, asn: 16_276, asName: 'OVH SAS' },
      ...{ pages: 0, probes: 1 + random.int(7), others: 0, distinct: 1, isPerson: false },
      isActive: (now) => now % (60 * DAY_MS) === at,
    };
  });
  // A program that polls one page.
  const poller: UsualClient = {
    ...{ ip: '198.51.100.99', asn: 24_940, asName: 'Hetzner Online GmbH' },
    ...{ pages: 60, probes: 0, others: 0, distinct: 0.02, isPerson: false },
    isActive: () => true,
  };
  return [...offices, ...scanners, ...(random.chance(0.5) ? [poller] : [])];
}
