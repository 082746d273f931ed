import type { BotSignal, ClientSignal, MinuteSignal } from '../../../shared/detection/signal.js';
import { isProbing } from './probing-client.js';
import { isScraping } from './scraping-client.js';

/**
 * What is left of a stretch without those that a rule of its own names: whoever probes or scrapes, impostors, undeclared agents, bots
 * of the last day. Spikes are judged by it, so that one scanner is one alert and no spike of pages not found besides.
 */
export interface Remainder {
  readonly requests: number;
  /** Requests of people. */
  readonly people: number;
  /** 4xx and 5xx; without those of crawlers, which have rules of their own. */
  readonly errors: number;
  readonly notFound: number;
  readonly status5xx: number;
}

const emptyRemainder: Remainder = { requests: 0, people: 0, errors: 0, notFound: 0, status5xx: 0 };

/** @param minutes length of the stretch @param isNewBot whether a bot of the name was first seen within the last day */
export function remainderOf(
  counts: MinuteSignal,
  minutes: number,
  isNewBot: (name: string) => boolean,
): Remainder {
  const left = {
    requests: counts.requests,
    people: counts.people,
    errors: counts.status4xx + counts.status5xx,
    notFound: counts.notFound,
    status5xx: counts.status5xx,
  };
  const taken = new Set<string>();
  for (const bot of counts.byBot) {
    const isNamed = isUnwelcome(bot) || isNewBot(bot.name);
    // A crawler that nobody can verify is turned away on purpose: 403 is the website's answer to it.
    if (!isNamed && isCrawler(bot) && bot.verification !== 'verified') left.errors -= bot.rejected;
    if (!isNamed && !(isCrawler(bot) && bot.verification === 'verified')) continue;
    if (isNamed) {
      left.requests -= bot.requests;
      taken.add(bot.name);
    }
    left.errors -= bot.notFound + bot.rejected + bot.status5xx;
    left.notFound -= bot.notFound;
  }
  for (const client of counts.byClient) {
    if (client.botName !== '' && taken.has(client.botName)) continue;
    if (!isNamedClient(client, counts, minutes)) continue;
    left.requests -= client.requests;
    if (client.isPerson) left.people -= client.requests;
    left.errors -= client.notFound + client.rejected;
    left.notFound -= client.notFound;
  }
  const notFound = Math.max(0, left.notFound);
  const errors = Math.max(left.errors, notFound, 0);
  const requests = Math.max(left.requests, errors, 0);
  const people = Math.min(requests, Math.max(left.people, 0));
  return { requests, people, errors, notFound, status5xx: left.status5xx };
}

export function addRemainders(some: Iterable<Remainder>): Remainder {
  const sum = { ...emptyRemainder };
  for (const one of some) {
    sum.requests += one.requests;
    sum.people += one.people;
    sum.errors += one.errors;
    sum.notFound += one.notFound;
    sum.status5xx += one.status5xx;
  }
  return sum;
}

function isNamedClient(client: ClientSignal, counts: MinuteSignal, minutes: number): boolean {
  return client.probes > 1 || isProbing(client, minutes) || isScraping(client, counts, minutes);
}

const isUnwelcome = ({ verification }: BotSignal) =>
  verification === 'spoofed' || verification === 'undeclared';

const isCrawler = ({ category }: BotSignal) => category === 'search' || category === 'ai';
