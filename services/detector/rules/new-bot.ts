import { attackTools } from '../../../shared/detection/probe-lists.js';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { namedAddresses } from '../counts/named-addresses.js';
import { byName, type NamedRequests, samplesOf } from './by-name.js';
import { span } from './figures.js';
import { AT_ONCE, type Finding, type Rule, type WebsiteView, type WindowView } from './rule.js';
import { apartOrTogether, firstOf, listed } from './together.js';

/** Requests of a bot worth reporting: some bots come once every day. */
const LEAST_REQUESTS = 40;
/** The bot must reach the requests within this time. */
const NEW_FOR_MS = DAY_MS;
/** On a younger website every bot is new. */
const LEAST_AGE_MS = DAY_MS;
/** Many crawlers come once in some days. In a website's first week most bots are new only to the detector. */
const WEEK_MS = 7 * DAY_MS;
/** Requests of a bot worth reporting in a website's first week: it is a load. */
const LEAST_REQUESTS_OF_FIRST_WEEK = 1_000;

/** These scan for open ports and programs. Their other requests have their own alert. */
const SCANNERS = new Set(['zgrab', 'masscan']);

/**
 * A bot that was never seen on this website. Fires once, in the window in which it reaches the least
 * requests.
 */
export const newBot: Rule = {
  type: 'new_bot',
  persistence: AT_ONCE,
  inhibitedBy: [],
  find(window, website) {
    const bots = byName(
      window.counts.byBot,
      ({ name }) => name,
      ({ verification }) => verification !== 'spoofed' && verification !== 'undeclared',
    ).filter((bot) => isNew(bot, window, website) && !hasOwnAlert(bot, window));
    return apartOrTogether(
      bots,
      (bot) => oneOf(bot, window, website),
      (several) => severalOf(several, window, website),
    );
  },
};

function isNew(bot: NamedRequests, { start, end }: WindowView, { memory, firstLogAt }: WebsiteView): boolean {
  const known = memory.bot(bot.name);
  if (known === undefined || known.firstSeen - firstLogAt < LEAST_AGE_MS) return false;
  const least = known.firstSeen - firstLogAt < WEEK_MS ? LEAST_REQUESTS_OF_FIRST_WEEK : LEAST_REQUESTS;
  const before = known.firstSeen >= start ? 0 : known.requests - bot.requests;
  return end - known.firstSeen <= NEW_FOR_MS && before < least && known.requests >= least;
}

/**
 * Whether the bot's requests have another alert: most come from probing or scraping addresses, or the name is
 * a tool for that.
 */
function hasOwnAlert({ name, requests }: NamedRequests, { counts, start, end }: WindowView): boolean {
  if (attackTools.has(name) || SCANNERS.has(name)) return true;
  const minutes = (end - start) / MINUTE_MS;
  const named = namedAddresses(counts, minutes)
    .filter(({ botName }) => botName === name)
    .filter(({ isProbing, isScraping }) => isProbing || isScraping);
  return named.reduce((sum, some) => sum + some.requests, 0) * 2 >= requests;
}

/** Counts all requests since the first one, as does the alert of several bots. */
function oneOf(bot: NamedRequests, { start, end }: WindowView, { memory }: WebsiteView): Finding {
  const { category, operator, verification } = bot.parts[0]!;
  const { firstSeen, requests } = memory.bot(bot.name)!;
  const since = Math.min(firstSeen, start);
  return {
    subject: bot.name,
    severity: 'info',
    message: `${bot.name} is new on this website: ${requests} requests in ${span(end - since)}.`,
    details: {
      bot_name: bot.name,
      operator,
      category,
      verification,
      requests,
      first_seen_at: new Date(firstSeen).toISOString(),
      ...samplesOf(bot),
    },
  };
}

function severalOf(
  bots: readonly NamedRequests[],
  { start, end }: WindowView,
  { memory }: WebsiteView,
): Omit<Finding, 'subject'> {
  const names = bots.map(({ name }) => name);
  const seen = names.map((name) => memory.bot(name)!);
  const requests = seen.reduce((sum, bot) => sum + bot.requests, 0);
  const firstSeen = Math.min(...seen.map((bot) => bot.firstSeen));
  return {
    severity: 'info',
    message: `${bots.length} bots are new on this website: ${requests} requests in ${span(end - Math.min(firstSeen, start))}, of ${firstOf(names)}.`,
    details: {
      bot_names: listed(names),
      bot_count: bots.length,
      requests,
      first_seen_at: new Date(firstSeen).toISOString(),
      ...samplesOf(bots[0]!),
    },
  };
}
