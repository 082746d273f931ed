import { createRandom, type Random } from '../../../deploy/demo/traffic/random.js';
import {
  type BotCounts,
  type ClientCounts,
  emptyCounts,
  NO_TIMES,
  type PathCounts,
  type SpanCounts,
} from '../../../services/detector/counts/span-counts.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { clumped, poisson, wandering } from './noise.js';
import { type BotRate, type ClientRate, usualBots, usualClients } from './visitors.js';

/**
 * A website's traffic in 5-minute intervals, independent of the detector.
 *
 * It has daily and weekly seasons, a trend, quiet days, drifting and clumped noise, deploys, crawlers with
 * gaps, and a few scanners and impostors like every website. It is a pure function of the seed and the time,
 * so that a time span can be played again with an incident.
 */

/** A Monday. */
export const SIMULATION_START = Date.UTC(2026, 5, 1);

/** The distribution of an interval, in means of five minutes. Incidents change it. */
export interface Rates {
  people: number;
  readonly bots: BotRate[];
  readonly clients: ClientRate[];
  /** Shares of the people's requests. */
  notFoundShare: number;
  rejectedShare: number;
  status5xxShare: number;
  latencyMs: number;
  failingPath: string;
  isDelivered: boolean;
}

/** An event that changes the rates of the intervals that it covers. */
export interface Happening {
  readonly start: number;
  readonly end: number;
  change(rates: Rates, at: number): void;
}

export interface SimulatedWebsite {
  readonly seed: string;
  readonly peoplePerDay: number;
  rates(at: number): Rates;
  /** @param happenings those that may cover the interval */
  interval(at: number, happenings?: readonly Happening[]): { counts: SpanCounts; isDelivered: boolean };
}

interface Character {
  readonly peoplePerDay: number;
  readonly peakHour: number;
  readonly swing: number;
  readonly weekend: number;
  readonly trendPerWeek: number;
  readonly dispersion: number;
  readonly latencyMs: number;
  readonly notFoundShare: number;
  readonly status5xxShare: number;
}

export function simulateWebsite(seed: string, weeks: number, peoplePerDay?: number): SimulatedWebsite {
  const random = createRandom(seed);
  const length = (weeks * 7 * DAY_MS) / INTERVAL_MS;
  const character: Character = {
    peoplePerDay: peoplePerDay ?? 12_000 * 25 ** random.next(),
    peakHour: 11 + 9 * random.next(),
    swing: 0.45 + 0.4 * random.next(),
    weekend: 0.6 + 0.6 * random.next(),
    trendPerWeek: 0.97 + 0.08 * random.next(),
    dispersion: 2 + 3 * random.next(),
    latencyMs: 60 + 200 * random.next(),
    notFoundShare: 0.006 + 0.02 * random.next(),
    status5xxShare: 0.0005 + 0.003 * random.next(),
  };
  const noise = {
    minutes: wandering(random, length, 0.1, 0.97),
    days: wandering(random, weeks * 7, 0.06, 0.3),
    latency: wandering(random, length, 0.08, 0.95),
  };
  const quietDays = new Set(Array.from({ length: Math.ceil(weeks / 3) }, () => random.int(weeks * 7)));
  const deploys = Array.from({ length: weeks * 3 }, () => random.int(length));
  const bots = usualBots(random, character.peoplePerDay);
  const clients = usualClients(random, character.peoplePerDay);

  function rates(at: number): Rates {
    const index = Math.floor((at - SIMULATION_START) / INTERVAL_MS);
    const day = Math.floor((at - SIMULATION_START) / DAY_MS);
    const level =
      seasonOf(character, at) *
      Math.exp(noise.minutes[index]! + noise.days[day]!) *
      character.trendPerWeek ** (day / 7) *
      (quietDays.has(day) ? 0.72 : 1);
    const people = (character.peoplePerDay / 288) * level;
    // The interval after a deploy is slower and has a few errors.
    const isDeploying = deploys.includes(index);
    return {
      people,
      bots: bots.flatMap((bot) => {
        const mean = bot.mean * bot.rhythm(at);
        return mean === 0 ? [] : [{ ...bot, mean }];
      }),
      clients: clients.filter((client) => client.isActive(at)).map((client) => ({ ...client })),
      notFoundShare: character.notFoundShare,
      rejectedShare: 0.002,
      status5xxShare: isDeploying ? 0.04 : character.status5xxShare,
      latencyMs:
        character.latencyMs * Math.exp(noise.latency[index]!) * (1 + 0.15 * level) * (isDeploying ? 1.5 : 1),
      failingPath: '/old-page',
      isDelivered: true,
    };
  }

  return {
    seed,
    peoplePerDay: character.peoplePerDay,
    rates,
    interval(at, happenings = []) {
      const drawn = rates(at);
      for (const happening of happenings) {
        if (at >= happening.start && at < happening.end) happening.change(drawn, at);
      }
      const own = createRandom(`${seed} ${at}`);
      return { counts: draw(own, at, drawn, character.dispersion), isDelivered: drawn.isDelivered };
    },
  };
}

function seasonOf({ peakHour, swing, weekend }: Character, at: number): number {
  const hour = (at % DAY_MS) / HOUR_MS;
  const dayOfWeek = Math.floor((at - SIMULATION_START) / DAY_MS) % 7;
  const day = 1 + swing * Math.cos(((hour - peakHour) / 24) * 2 * Math.PI);
  return day * (dayOfWeek >= 5 ? weekend : 1);
}

function draw(random: Random, at: number, rates: Rates, dispersion: number): SpanCounts {
  const people = rates.isDelivered ? clumped(random, rates.people, dispersion) : 0;
  const bots = rates.isDelivered ? rates.bots.flatMap((bot) => drawBot(random, bot)) : [];
  const clients = rates.isDelivered ? rates.clients.flatMap((client) => drawClient(random, client)) : [];
  const total = (of: (bot: BotCounts) => number) => bots.reduce((sum, bot) => sum + of(bot), 0);
  const clientTotal = (of: (client: ClientCounts) => number) =>
    clients.reduce((sum, client) => sum + of(client), 0);
  const ofPeople = (share: number) => Math.min(people, poisson(random, people * share));
  const own = { notFound: ofPeople(rates.notFoundShare), rejected: ofPeople(rates.rejectedShare) };
  const status5xx =
    Math.min(people - own.notFound, ofPeople(rates.status5xxShare)) + total((b) => b.status5xx);
  const notFound = own.notFound + total((b) => b.notFound) + clientTotal((c) => c.notFound);
  const rejected = own.rejected + total((b) => b.rejected) + clientTotal((c) => c.rejected);
  const byPeople = people + clientTotal(({ isPerson, requests }) => (isPerson ? requests : 0));
  const machines = total((b) => b.requests) + clientTotal((c) => (c.isPerson ? 0 : c.requests));
  const requests = byPeople + machines;
  const isSpoofed = ({ verification }: BotCounts) => verification === 'spoofed';
  const paths: PathCounts[] = [
    { path: rates.failingPath, status: 500, requests: status5xx },
    { path: rates.failingPath, status: 404, requests: notFound },
  ].filter((path) => path.requests > 0);
  return {
    ...emptyCounts(at),
    requests,
    people: byPeople,
    bots: machines,
    crawlers: total((b) => (b.category === 'search' && !isSpoofed(b) ? b.requests : 0)),
    aiBots: total((b) => (b.category === 'ai' && !isSpoofed(b) ? b.requests : 0)),
    spoofed: total((b) => (isSpoofed(b) ? b.requests : 0)),
    undeclared: total((b) => (b.verification === 'undeclared' ? b.requests : 0)),
    status4xx: notFound + rejected,
    notFound,
    rejected,
    status5xx,
    timed: requests,
    timeTakenMs: Math.round(drawTime(random, requests, rates.latencyMs)),
    botsNotFound: total((b) => b.notFound) + clientTotal((c) => (c.isPerson ? 0 : c.notFound)),
    botsOther4xx: total((b) => b.rejected) + clientTotal((c) => (c.isPerson ? 0 : c.rejected)),
    bots5xx: total((b) => b.status5xx),
    minutes: minutesOf(random, at, requests),
    lacksBots: false,
    byBot: bots,
    byClient: clients,
    unlisted: [],
    paths,
  };
}

/** Each request is in a random minute. */
function minutesOf(random: Random, at: number, requests: number): readonly number[] {
  const minutes = new Set<number>();
  for (let drawn = 0; drawn < Math.min(requests, 60) && minutes.size < 5; drawn += 1)
    minutes.add(at + random.int(5) * MINUTE_MS);
  return [...minutes].sort((a, b) => a - b);
}

/** The sum of this many exponentially distributed times. */
function drawTime(random: Random, requests: number, meanMs: number): number {
  if (requests === 0) return 0;
  const spread = (random.next() + random.next() + random.next() - 1.5) * 2;
  return requests * meanMs * Math.max(0.3, 1 + spread / Math.sqrt(requests));
}

function drawBot(random: Random, bot: BotRate): BotCounts[] {
  const requests = poisson(random, bot.mean);
  if (requests === 0) return [];
  const share = (of: number) => Math.min(requests, poisson(random, requests * of));
  const rejected = share(bot.rejectedShare);
  const notFound = Math.min(requests - rejected, share(bot.notFoundShare));
  const status5xx = Math.min(requests - rejected - notFound, share(bot.status5xxShare));
  const { name, family, operator, category, verification, sampleIp, sampleUserAgent } = bot;
  const samplePath = rejected + notFound + status5xx > 0 ? '/failed' : '';
  const who = { name, family, operator, category, verification, sampleIp, sampleUserAgent, samplePath };
  return [{ ...who, requests, notFound, rejected, status5xx }];
}

function drawClient(random: Random, client: ClientRate): ClientCounts[] {
  const pages = poisson(random, client.pages);
  const probes = poisson(random, client.probes);
  const requests = pages + probes + poisson(random, client.others);
  if (requests === 0) return [];
  return [
    {
      at: NO_TIMES,
      ip: client.ip,
      country: 'DE',
      asn: client.asn,
      asName: client.asName,
      requests,
      pages,
      notFound: probes,
      rejected: 0,
      status5xx: 0,
      probes,
      paths: Math.min(200, Math.ceil((pages + probes) * client.distinct)),
      isPerson: client.isPerson,
      botName: '',
      botCategory: '',
      verification: '',
      sampleUserAgent: 'Mozilla/5.0',
      samplePaths: probes > 0 ? ['/.env', '/wp-login.php'] : ['/a', '/b'],
    },
  ];
}
