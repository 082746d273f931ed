import { DAY_MS } from '../../../shared/durations.js';
import { byName, type NamedRequests, samplesOf } from './by-name.js';
import { span } from './figures.js';
import { AT_ONCE, type Finding, type Rule, type WebsiteView, type WindowView } from './rule.js';
import { apartOrTogether, firstOf, listed } from './together.js';

/** Requests by which a bot is worth knowing: every day some come once. */
const LEAST_REQUESTS = 40;
/** It must reach them so soon. */
const NEW_FOR_MS = DAY_MS;
/** Of a younger website every bot is new. */
const LEAST_AGE_MS = DAY_MS;

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
    ).filter((bot) => isNew(bot, window, website));
    return apartOrTogether(
      bots,
      (bot) => oneOf(bot, window),
      (several) => severalOf(several, window),
    );
  },
};

function isNew(bot: NamedRequests, { start, end }: WindowView, { memory, firstLogAt }: WebsiteView): boolean {
  const known = memory.bot(bot.name);
  if (known === undefined || known.firstSeen - firstLogAt < LEAST_AGE_MS) return false;
  const before = known.firstSeen >= start ? 0 : known.requests - bot.requests;
  return end - known.firstSeen <= NEW_FOR_MS && before < LEAST_REQUESTS && known.requests >= LEAST_REQUESTS;
}

function oneOf(bot: NamedRequests, { start, end }: WindowView): Finding {
  const { category, operator, verification } = bot.parts[0]!;
  return {
    subject: bot.name,
    severity: 'info',
    message: `${bot.name} is new on this website: ${bot.requests} requests in ${span(end - start)}.`,
    details: {
      bot_name: bot.name,
      operator,
      category,
      verification,
      requests: bot.requests,
      ...samplesOf(bot),
    },
  };
}

function severalOf(bots: readonly NamedRequests[], { start, end }: WindowView): Omit<Finding, 'subject'> {
  const names = bots.map(({ name }) => name);
  return {
    severity: 'info',
    message: `${bots.length} bots are new on this website within ${span(end - start)}: ${firstOf(names)}.`,
    details: {
      bot_names: listed(names),
      requests: bots.reduce((sum, { requests }) => sum + requests, 0),
      ...samplesOf(bots[0]!),
    },
  };
}
