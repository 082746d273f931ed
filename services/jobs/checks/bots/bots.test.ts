import { checkCases } from '../../../../test/harness/jobs/check-cases.js';
import { logs } from '../../../../test/harness/jobs/check-facts.js';
import type { BotAccess } from '../facts.js';
import { aiTurnedAway } from './ai-turned-away.js';
import { fakeAiCrawlers } from './fake-ai-crawlers.js';
import { fakeCrawlers } from './fake-crawlers.js';
import { searchTurnedAway } from './search-turned-away.js';
import { undeclaredAgents } from './undeclared-agents.js';
import { unknownBotsCheck } from './unknown-bots.js';

const access = (category: string, served: number, rejected: number) => {
  const bot: BotAccess = { name: 'Bot', category, served, rejected, byStatus: { 403: rejected } };
  return { logs: logs({ access: [bot] }) };
};

checkCases([
  [
    searchTurnedAway,
    [
      ['pass', 'all are let in', {}, { rejected: 0 }],
      [
        'warn',
        'some are turned away',
        access('search', 95, 5),
        { bots: [{ bot: 'Bot', rejected: 5, requests: 100, by_status: { 403: 5 } }] },
      ],
      ['fail', 'many are turned away', access('search', 50, 50)],
      ['unknown', 'hardly any came', access('search', 3, 3)],
      ['unknown', 'others alone are turned away', access('seo', 0, 500)],
    ],
  ],
  [
    aiTurnedAway,
    [
      ['pass', 'all are let in', {}],
      ['warn', 'many are turned away', access('ai', 10, 90), { rejected_pct: 90 }],
      ['not_applicable', 'hardly any came', access('ai', 1, 1)],
    ],
  ],
  [
    fakeCrawlers,
    [
      ['pass', 'few', {}],
      ['warn', 'many', { logs: logs({ crawl: { spoofed: 500 } }) }, { spoofed_pct: 33.33 }],
      ['warn', 'many, and others are open', { logs: logs({ crawl: { spoofed: 500, pending: 400 } }) }],
      [
        'unknown',
        'as many may turn out to be',
        { logs: logs({ crawl: { pending: 400 } }) },
        { pending_requests: 400, outcome: 'partial' },
      ],
      ['unknown', 'hardly any claim', { logs: logs({ crawl: { requests: 5, spoofed: 5 } }) }],
    ],
  ],
  [
    fakeAiCrawlers,
    [
      ['pass', 'few', {}, { claims: 200, spoofed_pct: 1 }],
      ['warn', 'many', { logs: logs({ aiClaims: { claims: 200, spoofed: 60, pending: 0 } }) }],
      [
        'unknown',
        'as many may turn out to be',
        { logs: logs({ aiClaims: { claims: 200, spoofed: 2, pending: 100 } }) },
      ],
      ['unknown', 'hardly any claim', { logs: logs({ aiClaims: { claims: 5, spoofed: 5, pending: 0 } }) }],
    ],
  ],
  [
    undeclaredAgents,
    [
      ['pass', 'few', {}],
      ['warn', 'many', { logs: logs({ undeclaredRequests: 900 }) }, { undeclared_pct: 9 }],
      ['unknown', 'few requests', { logs: logs({ requests: 7 }) }],
    ],
  ],
  [
    unknownBotsCheck,
    [
      ['pass', 'few', {}],
      [
        'warn',
        'many',
        { logs: logs({ unknownBotRequests: 1_000, namelessRequests: 600 }) },
        { unknown_pct: 40 },
      ],
      ['unknown', 'few bots', { logs: logs({ botRequests: 7 }) }],
    ],
  ],
]);
