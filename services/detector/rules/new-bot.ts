import { DAY_MS } from '../../../shared/durations.js';
import { byName, type NamedRequests, samplesOf } from './by-name.js';
import { span } from './figures.js';
import { AT_ONCE, type Finding, type Rule, type WebsiteView, type WindowView } from './rule.js';

/** Requests by which a bot is worth knowing: every day some come once. */
const LEAST_REQUESTS = 40;
/** It must reach them so soon. */
const NEW_FOR_MS = DAY_MS;
/** Of a younger website every bot is new. */
const LEAST_AGE_MS = DAY_MS;
/** More of them in one window are made up, or the website has moved: one alert. */
const MOST_APART = 5;

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
    if (bots.length > MOST_APART) return [severalOf(bots, window)];
    return bots.map((bot): Finding => {
      const { category, operator, verification } = bot.parts[0]!;
      return {
        subject: bot.name,
        severity: 'info',
        message: `${bot.name} is new on this website: ${bot.requests} requests in ${span(window.end - window.start)}.`,
        details: {
          bot_name: bot.name,
          operator,
          category,
          verification,
          requests: bot.requests,
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
