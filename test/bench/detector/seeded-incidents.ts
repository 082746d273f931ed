import type { Random } from '../../../deploy/demo/traffic/random.js';
import type { AlertType } from '../../../shared/alerts/alert.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { Happening, Rates, SimulatedWebsite } from './simulated-website.js';
import { botRate, keepAway } from './visitors.js';

/** An incident of each type for a simulated website, with the alert that it should raise. */
export interface SeededIncident extends Happening {
  readonly type: AlertType;
  /** '' for the whole website. */
  readonly subject: string;
  /** The time from which it is detectable: its start, or later if it consists of missing requests. */
  readonly onset: number;
}

type Draw = (
  random: Random,
  website: SimulatedWebsite,
  start: number,
) => Omit<SeededIncident, 'type' | 'start' | 'onset'> & { onset?: number };

const between = (random: Random, low: number, high: number) => low + (high - low) * random.next();

/** An end this many hours later, on the boundary of an interval. */
function after(random: Random, start: number, low: number, high: number): number {
  return start + Math.round((between(random, low, high) * HOUR_MS) / INTERVAL_MS) * INTERVAL_MS;
}

/** A family whose crawlers come often enough at this website to count their errors within an hour. */
function familyOf(random: Random, website: SimulatedWebsite, at: number): string {
  const busy = ['Google', 'Bing'].filter((family) => {
    const crawlers = website.rates(at).bots.filter((bot) => isOf(bot, family));
    return crawlers.reduce((sum, { mean }) => sum + mean, 0) * 12 >= 30;
  });
  return busy.length === 0 ? 'Google' : random.pick(busy);
}

const isOf = (bot: { family: string; verification: string }, family: string) =>
  bot.family === family && bot.verification === 'verified';

/** The family's crawler with most requests. */
function busiestOf(family: string, website: SimulatedWebsite, at: number): string {
  const crawlers = website.rates(at).bots.filter((bot) => isOf(bot, family));
  return crawlers.toSorted((one, other) => other.mean - one.mean)[0]?.name ?? family;
}

function changeCrawlers(
  isChanged: (bot: Rates['bots'][number]) => boolean,
  change: (bot: Rates['bots'][number]) => void,
) {
  return ({ bots }: Rates) => {
    for (const bot of bots) if (isChanged(bot)) change(bot);
  };
}

const draws = {
  traffic_spike: (random, _website, start) => {
    const times = between(random, 2.2, 5);
    return {
      subject: '',
      end: after(random, start, 1, 3),
      change: (rates) => {
        rates.people *= times;
      },
    };
  },
  traffic_drop: (random, _website, start) => {
    const left = between(random, 0.1, 0.4);
    return {
      subject: '',
      end: after(random, start, 1.5, 4),
      change: (rates) => {
        rates.people *= left;
        keepAway(rates.clients, left);
        for (const bot of rates.bots) bot.mean *= left;
      },
    };
  },
  log_silence: (random, _website, start) => ({
    subject: '',
    end: after(random, start, 1, 4),
    change: (rates) => {
      rates.isDelivered = false;
    },
  }),
  latency_spike: (random, _website, start) => {
    const times = between(random, 1.9, 4);
    return {
      subject: '',
      end: after(random, start, 1, 3),
      change: (rates) => {
        rates.latencyMs *= times;
      },
    };
  },
  error_rate: (random, _website, start) => {
    const share = between(random, 0.15, 0.4);
    return {
      subject: '',
      end: after(random, start, 1, 3),
      change: (rates) => {
        rates.rejectedShare += share;
      },
    };
  },
  // An outage with all its effects: slow responses, people who leave, and crawlers with errors.
  error_spike_5xx: (random, _website, start) => {
    const share = between(random, 0.15, 0.9);
    return {
      subject: '',
      end: after(random, start, 0.5, 3),
      change: (rates) => {
        rates.status5xxShare = share;
        rates.people *= 1 - share / 2;
        rates.latencyMs *= 2;
        rates.failingPath = '/checkout';
        for (const bot of rates.bots) bot.status5xxShare = share;
      },
    };
  },
  not_found_spike: (random, _website, start) => {
    const share = between(random, 0.12, 0.4);
    return {
      subject: '',
      end: after(random, start, 1, 3),
      change: (rates) => {
        rates.notFoundShare += share;
        rates.failingPath = '/moved-section';
      },
    };
  },
  new_bot: (random, _website, start) => {
    const name = `Novel${random.int(1e9)}bot`;
    const mean = between(random, 8, 40);
    return {
      subject: name,
      end: after(random, start, 2, 4),
      change: ({ bots }) => {
        bots.push(botRate([name, name, '', 'other', 'unverifiable'], mean));
      },
    };
  },
  fake_crawler: (random, _website, start) => {
    const mean = between(random, 10, 40);
    return {
      subject: 'Googlebot',
      end: after(random, start, 1, 3),
      change: ({ bots }) => {
        for (const bot of bots) if (bot.verification === 'spoofed') bot.mean += mean;
      },
    };
  },
  undeclared_agent: (random, _website, start) => {
    const mean = between(random, 10, 40);
    return {
      subject: 'OpenAI',
      end: after(random, start, 1, 3),
      change: ({ bots }) => {
        for (const bot of bots) if (bot.verification === 'undeclared') bot.mean += mean;
      },
    };
  },
  hacking_probe: (random, _website, start) => {
    const ip = `100.64.${random.int(256)}.${random.int(256)}`;
    const probes = between(random, 12, 150);
    return {
      subject: ip,
      end: after(random, start, 0.5, 1.5),
      change: ({ clients }) => {
        clients.push({
          ...{ ip, asn: 16_276, asName: 'OVH SAS', pages: 2, probes, others: 0, distinct: 0.7 },
          isPerson: false,
        });
      },
    };
  },
  scraper: (random, _website, start) => {
    const ip = `100.65.${random.int(256)}.${random.int(256)}`;
    const pages = between(random, 75, 300);
    return {
      subject: ip,
      end: after(random, start, 0.75, 2),
      change: ({ clients }) => {
        clients.push({
          ...{ ip, asn: 24_940, asName: 'Hetzner Online GmbH', pages, probes: 0, others: 5, distinct: 0.9 },
          isPerson: true,
        });
      },
    };
  },
  crawler_drop: (random, website, start) => {
    const family = familyOf(random, website, start);
    const perInterval = website
      .rates(start)
      .bots.filter((bot) => isOf(bot, family))
      .reduce((sum, { mean }) => sum + mean, 0);
    // An absence that occurs by chance once in some weeks.
    const usual = Math.ceil(Math.log(5_000) / perInterval) * INTERVAL_MS;
    return {
      subject: family,
      end: after(random, start, 10, 14),
      onset: start + Math.max(HOUR_MS, usual),
      change: changeCrawlers(
        (bot) => isOf(bot, family),
        (bot) => {
          bot.mean = 0;
        },
      ),
    };
  },
  crawler_errors: (random, website, start) => {
    const family = familyOf(random, website, start);
    const crawler = busiestOf(family, website, start);
    const share = between(random, 0.4, 0.9);
    return {
      subject: crawler,
      end: after(random, start, 3, 6),
      change: changeCrawlers(
        (bot) => isOf(bot, family) && bot.name === crawler,
        (bot) => {
          bot.notFoundShare = share;
        },
      ),
    };
  },
  crawler_blocked: (random, website, start) => {
    const family = familyOf(random, website, start);
    const crawler = busiestOf(family, website, start);
    const share = between(random, 0.5, 1);
    return {
      subject: crawler,
      end: after(random, start, 3, 6),
      change: changeCrawlers(
        (bot) => isOf(bot, family) && bot.name === crawler,
        (bot) => {
          bot.rejectedShare = share;
        },
      ),
    };
  },
} satisfies Partial<Record<AlertType, Draw>>;

export type SeededType = keyof typeof draws;
export const seededTypes = Object.keys(draws) as SeededType[];

/** @param start a boundary of intervals */
export function seedIncident(
  type: SeededType,
  random: Random,
  website: SimulatedWebsite,
  start: number,
): SeededIncident {
  const drawn = (draws[type] as Draw)(random, website, start);
  return { type, start, onset: start, ...drawn };
}

/** Time after the end of an incident in which its last window is still reported. */
export const REPORT_AFTER_MS = 60 * MINUTE_MS;
