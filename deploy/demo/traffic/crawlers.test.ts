import { describe, expect, it } from 'vitest';
import { createCrawlerRules } from '../../../shared/crawlers/crawler-rules.js';
import type { RangeFinding } from '../../../shared/crawlers/range-verifier.js';
import { ruleDataOfDay } from '../../../test/harness/rules-of-day.js';
import type { DemoRequest } from './demo-request.js';
import { demoTraffic } from './demo-traffic.js';

const { identify, verifyByRanges, agentOperatorOf } = createCrawlerRules(ruleDataOfDay('2026-11-21'));

const requests = [
  ...demoTraffic({
    seed: 'crawlers',
    days: 3,
    requestsPerDay: 15_000,
    end: Date.parse('2026-11-21T00:00:00Z'),
    domain: 'example.com',
  }),
];
const claiming = requests.filter(({ bot }) => bot !== '');

/** Distinct claims, by user agent and address, with an unexpected verdict. */
const differing = (some: DemoRequest[], expected: RangeFinding) => {
  const claims = some.flatMap(({ bot, user_agent, client_ip, timestamp }) => {
    const family = identify(user_agent)?.family ?? '';
    const verdict = verifyByRanges(family, client_ip, timestamp);
    return verdict === null || verdict === expected ? [] : [`${bot} from ${client_ip}`];
  });
  return [...new Set(claims)];
};

describe('crawlers of the demo', () => {
  it('are all known to the crawler table', () => {
    const unknown = claiming.filter(({ user_agent }) => identify(user_agent) === null);
    expect([...new Set(unknown.map(({ user_agent }) => user_agent))]).toEqual([]);
  });

  it('come from the ranges that their operators publish', () => {
    const honest = claiming.filter(({ actor }) => actor !== 'spoofed_bot');
    expect(new Set(honest.map(({ bot }) => bot)).size).toBeGreaterThan(30);
    expect(differing(honest, 'inside')).toEqual([]);
  });

  it('are distinguished from impostors by their addresses', () => {
    const impostors = claiming.filter(({ actor }) => actor === 'spoofed_bot');
    expect(impostors.length).toBeGreaterThan(200);
    expect(differing(impostors, 'outside')).toEqual([]);
  });

  it('include impostors that are recognised without DNS, since their operators publish only ranges', () => {
    const impostors = claiming.filter(({ actor }) => actor === 'spoofed_bot');
    const methods = impostors.map(({ user_agent }) => identify(user_agent)?.method);
    expect(methods.filter((method) => method === 'ranges').length).toBeGreaterThan(50);
  });

  it('also fetch the home page: search engines, AI crawlers and impostors', () => {
    const home = claiming.filter(({ target }) => target === '/');
    const actors = new Set(home.map(({ actor }) => actor));
    for (const actor of ['search_bot', 'ai_training', 'ai_search', 'ai_fetcher', 'seo_tool', 'spoofed_bot'])
      expect(actors).toContain(actor);
    const asked = home.filter(({ bot }) => bot === 'Googlebot');
    expect(asked.length).toBeGreaterThan(20);
  });

  it('include agents with a browser user agent, from addresses that operators use only for agents', () => {
    const agents = requests.filter(({ actor }) => actor === 'undeclared_agent');
    expect(agents.filter(({ user_agent }) => identify(user_agent) !== null)).toEqual([]);
    const operators = agents.map(({ client_ip, timestamp }) => agentOperatorOf(client_ip, timestamp));
    expect(new Set(operators)).toEqual(new Set(['OpenAI', 'Perplexity', 'Anthropic']));
  });

  it('include declared bots that are not in the crawler table', () => {
    const bots = requests.filter(({ actor }) => actor === 'unknown_bot');
    expect(new Set(bots.map(({ user_agent }) => identify(user_agent)?.name))).toEqual(
      new Set(['ShelfScout', 'quietcrawler']),
    );
    expect(new Set(bots.map(({ user_agent }) => identify(user_agent)?.operator))).toEqual(new Set(['']));
  });

  it('share no address with people: no person has an address that is used only for agents', () => {
    const people = requests.filter(({ actor }) => actor === 'human' || actor === 'ai_visitor');
    expect(people.filter(({ client_ip, timestamp }) => agentOperatorOf(client_ip, timestamp) !== '')).toEqual(
      [],
    );
  });

  it('share no user agent with people: no person is in the crawler table', () => {
    const people = requests.filter(({ actor }) => actor === 'human' || actor === 'ai_visitor');
    const taken = people.filter(({ user_agent }) => identify(user_agent) !== null);
    expect([...new Set(taken.map(({ user_agent }) => user_agent))]).toEqual([]);
  });
});
