import { namedAddresses } from './named-addresses.js';
import type { AddressCounts, BotCounts, SpanCounts } from './span-counts.js';

/**
 * The counts of a stretch without the clients that other rules report: probers, scrapers, impostors,
 * undeclared agents, and bots of the last day. Spikes are judged by it, so that one scanner is one alert
 * without a second one for pages not found. Usual shares are learned from it too
 * (services/detector/memory/memory.ts).
 */
export interface Remainder {
  readonly requests: number;
  /** Requests of people. */
  readonly people: number;
  /**
   * 4xx and 5xx, without those of verified crawlers, which have their own rules, and without refusals of
   * bots.
   */
  readonly errors: number;
  readonly notFound: number;
  readonly status5xx: number;
  /**
   * Requests by addresses that guess passwords or paths. `error_rate` and `not_found_spike` report them, so
   * they are no traffic spike.
   */
  readonly failing: { readonly requests: number; readonly people: number };
  /**
   * Failures of people. Machines hide changes in these: a polling program may be half of a quiet website's
   * requests.
   */
  readonly ofPeople: Failures;
}

/** The failures of bots for an address that only people use. */
const noBotFailures = { botsNotFound: 0, botsOther4xx: 0, bots5xx: 0 } as const;

const failures = ['errors', 'notFound', 'status5xx'] as const;
export type Failures = Readonly<Record<(typeof failures)[number], number>>;
const noFailures: Failures = { errors: 0, notFound: 0, status5xx: 0 };
const nobody = { requests: 0, people: 0 } as const;

/** Requests and people after subtraction, which may be negative. */
type Left = { -readonly [Part in Exclude<keyof Remainder, 'ofPeople' | 'failing'>]: number };

/**
 * @param minutes length of the stretch
 * @param isNewBot whether a bot of the name was first seen within the last day
 */
export function remainderOf(
  counts: SpanCounts,
  minutes: number,
  isNewBot: (name: string) => boolean,
): Remainder {
  const left: Left = {
    requests: counts.requests,
    people: counts.people,
    errors: counts.status4xx + counts.status5xx,
    notFound: counts.notFound,
    status5xx: counts.status5xx,
  };
  const isNamed = (bot: BotCounts) => isUnwelcome(bot) || isNewBot(bot.name);
  for (const bot of counts.byBot) takeBot(left, bot, isNamed(bot));
  const taken = new Set(counts.byBot.filter(isNamed).map(claimOf));
  const failing = { ...nobody };
  const addresses = namedAddresses(counts, minutes);
  for (const some of addresses) {
    // These requests were subtracted with the bot's.
    if (taken.has(claimOf({ name: some.botName, verification: some.verification }))) continue;
    if (isNamedWhole(some)) {
      takeWhole(left, some);
      continue;
    }
    if (some.hasProbes) takeProbes(left, some);
    if (!some.isFailing) continue;
    failing.requests += some.requests - (some.hasProbes ? some.probes : 0);
    failing.people += some.requests;
  }
  const notFound = Math.max(0, left.notFound);
  const status5xx = Math.max(0, left.status5xx);
  const errors = Math.max(left.errors, notFound, 0);
  const requests = Math.max(left.requests, errors, status5xx);
  const people = Math.min(requests, Math.max(left.people, 0));
  const ofPeople = failuresOfPeople(counts, addresses, people);
  return { requests, people, errors, notFound, status5xx, failing, ofPeople };
}

/**
 * Failures of people, without addresses that a rule names. A mixed address of people and bots has at most as
 * many bot failures as the website.
 */
function failuresOfPeople(counts: SpanCounts, addresses: readonly AddressCounts[], people: number): Failures {
  let notFound = counts.notFound - counts.botsNotFound;
  let others = counts.status4xx - counts.notFound - counts.botsOther4xx;
  let status5xx = counts.status5xx - counts.bots5xx;
  for (const client of addresses) {
    // Its failures are those of bots and do not count here.
    if (!client.isPerson) continue;
    const ofBots = client.verification === '' ? noBotFailures : counts;
    const own = {
      notFound: Math.max(0, client.notFound - ofBots.botsNotFound),
      rejected: Math.max(0, client.rejected - ofBots.botsOther4xx),
      status5xx: Math.max(0, client.status5xx - ofBots.bots5xx),
    };
    if (isNamedWhole(client)) {
      notFound -= own.notFound;
      others -= own.rejected;
      status5xx -= own.status5xx;
    } else if (client.hasProbes) {
      notFound -= Math.min(own.notFound, client.probes);
      others -= Math.min(own.rejected, Math.max(0, client.probes - client.notFound));
    }
  }
  const among = (some: number) => Math.min(people, Math.max(some, 0));
  const left = { notFound: among(notFound), status5xx: among(status5xx) };
  return { ...left, errors: among(left.notFound + left.status5xx + Math.max(others, 0)) };
}

export function addRemainders(some: Iterable<Remainder>): Remainder {
  const sum = { ...nobody, ...noFailures };
  const ofPeople = { ...noFailures };
  const failing = { ...nobody };
  for (const one of some) {
    sum.requests += one.requests;
    sum.people += one.people;
    failing.requests += one.failing.requests;
    failing.people += one.failing.people;
    for (const part of failures) {
      sum[part] += one[part];
      ofPeople[part] += one.ofPeople[part];
    }
  }
  return { ...sum, failing, ofPeople };
}

/** The claimed bot and the verdict. Undeclared agents have no claim. */
const claimOf = ({ name, verification }: Pick<BotCounts, 'name' | 'verification'>) =>
  `${verification} ${name}`;

function takeBot(left: Left, bot: BotCounts, isNamed: boolean): void {
  // 403 is a website's deliberate answer to unwanted bots. Refusals of verified crawlers are crawler_blocked.
  left.errors -= bot.rejected;
  if (isNamed) {
    left.requests -= bot.requests;
    left.status5xx -= bot.status5xx;
  } else if (!(isCrawler(bot) && bot.verification === 'verified')) return;
  left.errors -= bot.notFound + bot.status5xx;
  left.notFound -= bot.notFound;
}

/**
 * Whether most requests of the address are of a kind that a rule names. Otherwise others share it, as with a
 * proxy or an office.
 */
const isNamedWhole = ({ isScanning, isScraping }: AddressCounts) => isScanning || isScraping;

function takeWhole(left: Left, client: AddressCounts): void {
  left.requests -= client.requests;
  if (client.isPerson) left.people -= client.requests;
  left.errors -= client.notFound + ownRefusals(client) + client.status5xx;
  left.notFound -= client.notFound;
  left.status5xx -= client.status5xx;
}

/** Its people stay: the sender of the few probes is unknown. */
function takeProbes(left: Left, client: AddressCounts): void {
  const { probes, notFound } = client;
  left.requests -= probes;
  left.errors -= Math.min(notFound + ownRefusals(client), probes);
  left.notFound -= Math.min(notFound, probes);
}

/** Refusals of bots were subtracted before. */
const ownRefusals = ({ botName, verification, rejected }: AddressCounts) =>
  botName === '' && verification === '' ? rejected : 0;

const isUnwelcome = ({ verification }: BotCounts) =>
  verification === 'spoofed' || verification === 'undeclared';

const isCrawler = ({ category }: BotCounts) => category === 'search' || category === 'ai';
