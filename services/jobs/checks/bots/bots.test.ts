import { expect } from 'vitest';
import { checkCases } from '../../../../test/harness/jobs/check-cases.js';
import { botAccess, logs } from '../../../../test/harness/jobs/check-facts.js';
import type { Gathered } from '../facts/check.js';
import type { BotAccess, BotClaims } from '../facts/facts.js';
import { aiTurnedAway } from './ai-turned-away.js';
import { fakeAiCrawlers } from './fake-ai-crawlers.js';
import { fakeCrawlers } from './fake-crawlers.js';
import { searchTurnedAway } from './search-turned-away.js';
import { undeclaredAgents } from './undeclared-agents.js';
import { unknownBotsCheck } from './unknown-bots.js';

const crawlers = (...given: Partial<BotAccess>[]) => ({ logs: logs({ access: given.map(botAccess) }) });
const access = (category: string, served: number, rejected: number) =>
  crawlers({
    category,
    served,
    rejected,
    real: rejected > served ? 'shut_out' : 'limited',
    byStatus: { 403: rejected },
  });

/** Other crawlers are served: their responses do not affect this crawler. */
const blocked = (bot: Partial<BotAccess>) =>
  crawlers(
    { name: 'ClaudeBot', operator: 'Anthropic', category: 'ai', served: 5_000 },
    { name: 'bingbot', operator: 'Bing', category: 'search', served: 50_000 },
    { ...bot },
  );
const gptbot = { name: 'GPTBot', operator: 'OpenAI', category: 'ai' } as const;

const claimsOf = (category: string): BotClaims => ({
  ...{ name: 'Bot', category, claims: 0, verified: 0, spoofed: 0, undecided: 0 },
});

const claims = (category: string, given: Partial<BotClaims>, others = 1_000): Partial<Gathered> => ({
  logs: logs({
    claims: [
      { name: 'Other', category, claims: others, verified: others, spoofed: 0, undecided: 0 },
      { ...claimsOf(category), ...given },
    ],
  }),
});

checkCases([
  [
    searchTurnedAway,
    [
      ['pass', 'all are let in', {}, { rejected: 0, bots: [{ bot: 'Googlebot', served: 900 }] }],
      [
        'warn',
        'some are turned away',
        access('search', 95, 5),
        { bots: [{ bot: 'Bot', rejected: 5, requests: 100, by_status: { 403: 5 } }] },
      ],
      ['fail', 'many are turned away', access('search', 50, 50)],
      ['unknown', 'hardly any came', access('search', 3, 3)],
      ['unknown', 'others alone are turned away', access('seo', 0, 500)],
      [
        'fail',
        'one of them is shut out, and others come much more often',
        blocked({ name: 'Applebot', category: 'search', rejected: 90, real: 'shut_out' }),
        { rejected_pct: 0.18 },
      ],
      [
        'warn',
        'one of them is turned away in part',
        blocked({ name: 'Applebot', category: 'search', served: 300, rejected: 60, real: 'limited' }),
      ],
      ['pass', 'one of them is asked to pay', blocked({ category: 'search', charged: 90, real: 'charged' })],
      [
        'unknown',
        'most claims are not proved',
        { logs: logs({ crawl: { requests: 300, undecided: 522 } }) },
        { proved_requests: 300, unproved_requests: 522 },
      ],
      [
        'unknown',
        'no claim is proved',
        { logs: logs({ access: [], crawl: { basis: 'unproved', requests: 522, undecided: 522 } }) },
        { proved_requests: 0, unproved_requests: 522 },
      ],
    ],
  ],
  [
    aiTurnedAway,
    [
      ['pass', 'all are let in', {}],
      ['warn', 'many are turned away', access('ai', 10, 90), { rejected_pct: 90 }],
      ['not_applicable', 'hardly any came', access('ai', 1, 1)],
      [
        'warn',
        'one is shut out, and others come much more often',
        blocked({ ...gptbot, rejected: 133, real: 'shut_out', byStatus: { 403: 133 } }),
        {
          note: expect.stringContaining('GPTBot is shut out (133 of 133 requests).'),
          bots: [
            { bot: 'GPTBot', real_crawler: 'shut_out', served: 0, rejected: 133, by_status: { 403: 133 } },
            {},
          ],
        },
      ],
      [
        'warn',
        'the real one is shut out, and impostors get in',
        blocked({ ...gptbot, rejected: 133, real: 'inverted', unverifiedServed: 8 }),
        {
          note: expect.stringContaining(
            'The real GPTBot is shut out (133 of 133 requests), and impostors get in: 8',
          ),
          bots: [{ bot: 'GPTBot', real_crawler: 'inverted', unverified_served: 8 }, {}],
        },
      ],
      [
        'warn',
        'one is turned away in part',
        blocked({ ...gptbot, served: 80, rejected: 20, real: 'limited' }),
      ],
      [
        'pass',
        'one is asked to pay, which is no rejection',
        blocked({ ...gptbot, charged: 133, real: 'charged' }),
        { rejected: 0, payment_required: 133 },
      ],
      ['pass', 'hardly any of one are turned away', blocked({ ...gptbot, served: 95, rejected: 5 })],
      [
        'unknown',
        'claims came that nothing proves',
        { logs: logs({ access: [], claims: [{ ...claimsOf('ai'), claims: 90, undecided: 90 }] }) },
        { unproved_requests: 90 },
      ],
    ],
  ],
  [
    fakeCrawlers,
    [
      ['pass', 'few', {}],
      ['warn', 'many', claims('search', { claims: 500, spoofed: 500 }), { spoofed_pct: 33.33 }],
      ['warn', 'many, and others are open', claims('search', { claims: 900, spoofed: 500, undecided: 400 })],
      [
        'unknown',
        'as many may turn out to be',
        claims('search', { claims: 400, undecided: 400 }),
        { unproved_requests: 400, outcome: 'partial' },
      ],
      ['unknown', 'hardly any claim', claims('search', { claims: 5, spoofed: 5 }, 5)],
      [
        'unknown',
        'most claims of one crawler are open, and others are proved',
        claims('search', { claims: 522, verified: 57, undecided: 465 }, 20_000),
        { unproved_crawlers: [{ bot: 'Bot', claims: 522, unproved: 465 }] },
      ],
      [
        'pass',
        'few claims of a crawler are open',
        claims('search', { claims: 522, verified: 457, undecided: 65 }),
      ],
    ],
  ],
  [
    fakeAiCrawlers,
    [
      ['pass', 'few', {}, { claims: 200, spoofed_pct: 1 }],
      ['warn', 'many', claims('ai', { claims: 60, spoofed: 60 }, 140)],
      [
        'unknown',
        'as many may turn out to be',
        claims('ai', { claims: 100, spoofed: 2, undecided: 90 }, 100),
      ],
      ['unknown', 'hardly any claim', claims('ai', { claims: 5, spoofed: 5 }, 5)],
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
