import { attackTools } from '../../../shared/detection/probe-lists.js';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { byName, type NamedRequests, samplesOf } from './by-name.js';
import { span } from './figures.js';
import { isProbing } from './probing-client.js';
import { AT_ONCE, type Finding, type Rule, type WebsiteView, type WindowView } from './rule.js';
import { isScraping } from './scraping-client.js';

/** Requests by which a bot is worth knowing: every day some come once. */
const LEAST_REQUESTS = 50;
/** It must reach them so soon. */
const NEW_FOR_MS = DAY_MS;
/** Of a younger website every bot is new. */
const LEAST_AGE_MS = DAY_MS;
/** More of them in one window are made up, or the website has moved: one alert. */
const MOST_APART = 5;

/** They look which ports and programs answer; what they ask for beyond that has an alert of its own. */
const SCANNERS = new Set(['zgrab', 'masscan']);

/** A bot that was never seen on this website. Fires once, in the window in which it reaches the floor. */
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
    if (bots.length > MOST_APART) return [severalOf(bots, window)];
    return bots.map((bot): Finding => {
      const { category, operator, verification } = bot.parts[0]!;
      const { firstSeen, requests } = website.memory.bot(bot.name)!;
      const since = Math.min(firstSeen, window.start);
      return {
        subject: bot.name,
        severity: 'info',
        message: `${bot.name} is new on this website: ${requests} requests in ${span(window.end - since)}.`,
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
    });
  },
};

function isNew(bot: NamedRequests, { start, end }: WindowView, { memory, firstLogAt }: WebsiteView): boolean {
  const known = memory.bot(bot.name);
  if (known === undefined || known.firstSeen - firstLogAt < LEAST_AGE_MS) return false;
  const before = known.firstSeen >= start ? 0 : known.requests - bot.requests;
  return end - known.firstSeen <= NEW_FOR_MS && before < LEAST_REQUESTS && known.requests >= LEAST_REQUESTS;
}

/** One scanner or scraper is one alert: whoever comes under the name mostly probes or scrapes, or the name is a tool's for it. */
function hasOwnAlert({ name, requests }: NamedRequests, { counts, start, end }: WindowView): boolean {
  if (attackTools.has(name) || SCANNERS.has(name)) return true;
  const minutes = (end - start) / MINUTE_MS;
  const named = counts.byClient
    .filter(({ botName }) => botName === name)
    .filter((client) => isProbing(client, minutes) || isScraping(client, counts, minutes));
  return named.reduce((sum, client) => sum + client.requests, 0) * 2 >= requests;
}

function severalOf(bots: readonly NamedRequests[], { start, end }: WindowView): Finding {
  const names = bots.map(({ name }) => name);
  return {
    subject: '',
    severity: 'info',
    message: `${bots.length} bots are new on this website within ${span(end - start)}: ${names.slice(0, 3).join(', ')} and more.`,
    details: {
      bot_names: names.slice(0, 20),
      requests: bots.reduce((sum, { requests }) => sum + requests, 0),
      ...samplesOf(bots[0]!),
    },
  };
}
