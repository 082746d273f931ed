import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { type StoredRequest, storedRequest } from '../stored-requests.js';
import { poisson, type Random, seasonAt, seeded } from './series.js';

/**
 * Some days of a few websites with all types of alerts, in few rows: a property test plays them many times.
 */

export interface Week {
  readonly seed: number;
  readonly websites: number;
  readonly days: number;
  /** When the last row was made, milliseconds since the epoch. */
  readonly end: number;
}

type Made = Partial<StoredRequest> & { readonly timestamp: number };

/** Rows in the order of their time. The same for the same seed. */
export function weekOf({ seed, websites, days, end }: Week): StoredRequest[] {
  const random = seeded(seed);
  const rows = Array.from({ length: websites }, (_, at) =>
    websiteRows(random, `web_${at}`, end - days * DAY_MS, end),
  );
  return rows.flat().sort((a, b) => a.timestamp - b.timestamp);
}

function websiteRows(random: Random, website_id: string, from: number, to: number): StoredRequest[] {
  const somewhere = (lengthMs: number) =>
    from + DAY_MS * 1.2 + random() * (to - from - DAY_MS * 1.2 - lengthMs);
  const outage = somewhere(40 * MINUTE_MS);
  const gap = somewhere(7 * HOUR_MS);
  const refused = somewhere(2 * HOUR_MS);
  const isIn = (at: number, start: number, lengthMs: number) => at >= start && at < start + lengthMs;
  const made = [
    ...people(random, from, to),
    ...crawlers(random, from, to),
    ...refusedCrawler(random, from, to, refused),
    ...broken(random, outage),
    ...chance(random, () => impostor(random, somewhere(HOUR_MS))),
    ...chance(random, () => scanner(random, somewhere(HOUR_MS))),
    ...chance(random, () => scraper(random, somewhere(HOUR_MS))),
    ...chance(random, () => newBot(random, somewhere(5 * HOUR_MS))),
    ...chance(random, () => crowd(random, somewhere(HOUR_MS))),
  ];
  return made
    .filter(({ timestamp }) => timestamp < to && !isIn(timestamp, gap, 6 * HOUR_MS))
    .map((row, index) => {
      const isBroken = isIn(row.timestamp, outage, 40 * MINUTE_MS) && random() < 0.8;
      return storedRequest({
        ...row,
        website_id,
        timestamp: Math.floor(row.timestamp),
        log_index: index,
        ...(isBroken && { status: 503 }),
      });
    });
}

function chance(random: Random, rows: () => Made[]): Made[] {
  return random() < 0.6 ? rows() : [];
}

/** This many rows, evenly over a time span, each at a different moment. */
function spread(
  random: Random,
  start: number,
  lengthMs: number,
  count: number,
  rowOf: (at: number) => Omit<Made, 'timestamp'>,
): Made[] {
  return Array.from({ length: count }, (_, at) => ({
    ...rowOf(at),
    timestamp: start + ((at + random()) / count) * lengthMs,
  }));
}

function people(random: Random, from: number, to: number): Made[] {
  const rows: Made[] = [];
  for (let at = from; at < to; at += 15 * MINUTE_MS)
    rows.push(
      ...spread(random, at, 15 * MINUTE_MS, poisson(random, 2 * seasonAt(at)), () => ({
        client_ip: `203.0.113.${Math.floor(random() * 250)}`,
        path: `/page/${Math.floor(random() * 30)}`,
        status: random() < 0.02 ? 404 : 200,
        time_taken_ms: Math.floor(40 + random() * 60),
      })),
    );
  return rows;
}

const bot = (
  name: string,
  family: string,
  kind: 'search' | 'ai' | 'seo',
  verification: StoredRequest['bot_verification'],
): Omit<Made, 'timestamp'> => ({
  ...{ is_bot: true, bot_name: name, bot_family: family, bot_operator: family, bot_category: kind },
  bot_verification: verification,
  traffic_class: kind === 'search' ? 'search_bot' : kind === 'ai' ? 'ai_bot' : 'other_bot',
  user_agent: `Mozilla/5.0 (compatible; ${name}/2.1)`,
});

/** The second crawler stops coming at some time. */
function crawlers(random: Random, from: number, to: number): Made[] {
  const google = { ...bot('Googlebot', 'Google', 'search', 'verified'), client_ip: '66.249.66.1' };
  const bing = { ...bot('bingbot', 'Bing', 'search', 'verified'), client_ip: '157.55.39.1' };
  const hours = (to - from) / HOUR_MS;
  const left = random() < 0.5 ? from + (to - from) * 0.9 : to;
  return [
    ...spread(random, from, to - from, hours * 2, (at) => ({ ...google, path: `/page/${at % 30}` })),
    ...spread(random, from, to - from, hours * 2, (at) => ({ ...bing, path: `/page/${at % 20}` })).filter(
      ({ timestamp }) => timestamp < left,
    ),
  ];
}

function refusedCrawler(random: Random, from: number, to: number, refused: number): Made[] {
  const gpt = { ...bot('GPTBot', 'OpenAI', 'ai', 'verified'), client_ip: '20.15.240.64' };
  return [
    ...spread(random, from, to - from, ((to - from) / HOUR_MS) * 3, (at) => ({
      ...gpt,
      path: `/page/${at % 30}`,
    })),
    ...spread(random, refused, HOUR_MS, 40, (at) => ({ ...gpt, path: `/page/${at % 30}`, status: 403 })),
  ];
}

function broken(random: Random, start: number): Made[] {
  return spread(random, start, 40 * MINUTE_MS, 60, (at) => ({ client_ip: `198.51.100.${at}`, path: '/pay' }));
}

function impostor(random: Random, start: number): Made[] {
  return spread(random, start, 25 * MINUTE_MS, 50, (at) => ({
    ...bot('Googlebot', 'Google', 'search', 'spoofed'),
    ...{ traffic_class: 'spoofed_bot', client_ip: `192.0.2.${200 + (at % 3)}`, path: `/page/${at}` },
  }));
}

function scanner(random: Random, start: number): Made[] {
  return spread(random, start, 12 * MINUTE_MS, 70, (at) => ({
    ...{ client_ip: '192.0.2.66', path: `/.env.${at}`, status: 404, is_probe: true, user_agent: 'curl/8.0' },
    traffic_class: 'undeclared_agent',
  }));
}

function scraper(random: Random, start: number): Made[] {
  return spread(random, start, 16 * MINUTE_MS, 260, (at) => ({
    client_ip: '192.0.2.77',
    path: `/article/${at}`,
  }));
}

function newBot(random: Random, start: number): Made[] {
  return spread(random, start, 4 * HOUR_MS, 60, (at) => ({
    ...bot('AhrefsBot', 'Ahrefs', 'seo', 'unverifiable'),
    ...{ client_ip: '192.0.2.88', path: `/page/${at % 30}` },
  }));
}

/** Many more people than usual. */
function crowd(random: Random, start: number): Made[] {
  return spread(random, start, 40 * MINUTE_MS, 300, (at) => ({
    ...{ client_ip: `198.51.100.${at % 200}`, path: at % 4 === 0 ? `/page/${at % 30}` : `/style.css` },
    ...(at % 4 !== 0 && { file_type: 'css' }),
  }));
}
