import type { BotSignal, ClientSignal, MinuteSignal } from '../../../shared/detection/signal.js';
import { isProbing } from './probing-client.js';
import { isScraping } from './scraping-client.js';

/**
 * What is left of a stretch without those that a rule of its own names: whoever probes or scrapes, impostors, undeclared agents, bots
 * of the last day. Spikes are judged by it, so that one scanner is one incident and no spike of pages not found besides.
 */
export interface Remainder {
  readonly requests: number;
  /** Requests of people. */
  readonly people: number;
  /** 4xx and 5xx; without those of crawlers, which have rules of their own. */
  readonly errors: number;
  readonly notFound: number;
  readonly status5xx: number;
  /** What people met of them. Machines hide how that changes: a program that polls may be half of a quiet website's requests. */
  readonly ofPeople: Failures;
}

const failures = ['errors', 'notFound', 'status5xx'] as const;
export type Failures = Readonly<Record<(typeof failures)[number], number>>;
const noFailures: Failures = { errors: 0, notFound: 0, status5xx: 0 };
const emptyRemainder: Remainder = { requests: 0, people: 0, ...noFailures, ofPeople: noFailures };

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
    if (!isNamed && !isCrawler(bot)) continue;
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
  const ofPeople = failuresOfPeople(counts, minutes, people);
  return { requests, people, errors, notFound, status5xx: left.status5xx, ofPeople };
}

/** All failures without those of machines and of whoever a rule of its own names. What fell out of the lists is taken for people's. */
function failuresOfPeople(counts: MinuteSignal, minutes: number, people: number): Failures {
  let { notFound, status5xx } = counts;
  let others = counts.status4xx - notFound;
  const bots = new Set<string>();
  for (const bot of counts.byBot) {
    if (bot.name !== '') bots.add(bot.name);
    notFound -= bot.notFound;
    others -= bot.rejected;
    status5xx -= bot.status5xx;
  }
  for (const client of counts.byClient) {
    if (bots.has(client.botName)) continue;
    if (client.isPerson && !isNamedClient(client, counts, minutes)) continue;
    notFound -= client.notFound;
    others -= client.rejected;
  }
  const among = (some: number) => Math.min(people, Math.max(some, 0));
  const left = { notFound: among(notFound), status5xx: among(status5xx) };
  return { ...left, errors: among(left.notFound + left.status5xx + Math.max(others, 0)) };
}

export function addRemainders(some: Iterable<Remainder>): Remainder {
  const sum = { ...emptyRemainder };
  const ofPeople = { ...noFailures };
  for (const one of some) {
    sum.requests += one.requests;
    sum.people += one.people;
    for (const part of failures) {
      sum[part] += one[part];
      ofPeople[part] += one.ofPeople[part];
    }
  }
  return { ...sum, ofPeople };
}

function isNamedClient(client: ClientSignal, counts: MinuteSignal, minutes: number): boolean {
  return client.probes > 1 || isProbing(client, minutes) || isScraping(client, counts, minutes);
}

const isUnwelcome = ({ verification }: BotSignal) =>
  verification === 'spoofed' || verification === 'undeclared';

const isCrawler = ({ category, verification }: BotSignal) =>
  (category === 'search' || category === 'ai') && verification === 'verified';
