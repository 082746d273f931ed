import { describe, expect, it } from 'vitest';
import { loadRuleData } from '../../../shared/crawlers/crawler-rules.js';
import { createSharedNetworkOf } from '../../../shared/crawlers/shared-networks.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { addressesOf, botOf, clientOf } from '../../../test/harness/detector/counts.js';
import { END, memoryOf, websiteOf, windowOf } from '../../../test/harness/detector/view.js';
import type { BotCounts, ClientCounts } from '../counts/span-counts.js';
import { fakeCrawler } from './fake-crawler.js';
import { hackingProbe } from './hacking-probe.js';
import { newBot } from './new-bot.js';
import { scraper } from './scraper.js';
import { undeclaredAgent } from './undeclared-agent.js';

const sharedNetworkOf = createSharedNetworkOf(loadRuleData());

const ofClients = (rule: typeof scraper, ...byClient: ClientCounts[]) => {
  const window = windowOf({ byClient });
  return rule.find(window, websiteOf(window));
};

describe('hacking_probe', () => {
  const scanner = (ip: string) =>
    clientOf({ ip, probes: 40, requests: 45, paths: 30, asName: 'OVH SAS', samplePaths: ['/.env'] });

  it('names the address and the paths that it requested', () => {
    expect(ofClients(hackingProbe, scanner('192.0.2.1'))).toMatchObject([
      {
        subject: '192.0.2.1',
        details: { probes: 40, network: 'OVH SAS', sample_paths: ['/.env'], sample_user_agent: 'curl/8' },
      },
    ]);
  });

  it('warns against blocking an address that people may share, but not a rented server', () => {
    const [rented, home] = ofClients(hackingProbe, scanner('192.0.2.1'), {
      ...scanner('192.0.2.2'),
      asName: 'Deutsche Telekom AG',
    });
    expect(rented?.details).not.toHaveProperty('caveat');
    expect(home?.details).toHaveProperty('caveat', expect.stringContaining('share'));
  });

  it.each([
    [{ ip: '144.202.12.51', asn: 20_473, asName: 'The Constant Company, LLC' }, undefined],
    [{ ip: '66.249.66.77', asn: 15_169, asName: 'Google LLC' }, /do not block it/],
    [{ ip: '10.1.2.3', asn: 0, asName: '' }, /own network.*Do not block it/],
    [{ ip: '185.220.101.5', asn: 60_729, asName: 'Stiftung Erneuerbare Freiheit' }, /Tor/],
    [{ ip: '104.28.30.12', asn: 13_335, asName: 'Cloudflare, Inc.' }, /many people share/],
  ])('adds the right warning against blocking to %o', (address, caveat) => {
    const window = windowOf({ byClient: [{ ...scanner(address.ip), ...address, isPerson: true }] });
    const networkOf = ({ ip, asn }: { ip: string; asn: number }) => sharedNetworkOf(ip, asn, END);
    const [found] = hackingProbe.find(window, websiteOf(window, { networkOf }));
    if (caveat === undefined) expect(found?.details).not.toHaveProperty('caveat');
    else expect(found?.details.caveat).toMatch(caveat);
    expect(JSON.stringify(found)).not.toContain('People use');
  });

  it('says that an address is in the website’s own network', () => {
    const window = windowOf({ byClient: [scanner('10.1.2.3')] });
    const networkOf = () => 'own_network' as const;
    expect(hackingProbe.find(window, websiteOf(window, { networkOf }))).toMatchObject([
      {
        subject: '10.1.2.3',
        message: expect.stringContaining('Somebody behind 10.1.2.3'),
        details: { shared_network: 'own_network' },
      },
    ]);
  });

  it('joins more than five addresses in one alert', () => {
    const many = Array.from({ length: 6 }, (_, index) => scanner(`192.0.2.${index}`));
    expect(ofClients(hackingProbe, ...many)).toMatchObject([
      { subject: '', details: { address_count: 6, probes: 240 } },
    ]);
    expect(ofClients(hackingProbe, ...many.slice(1))).toHaveLength(5);
  });

  it('counts addresses beyond the list, whose bots are not suppressed', () => {
    const byClient = [scanner('192.0.2.1'), scanner('192.0.2.2')];
    const unlisted = [addressesOf({ isProbing: true, addresses: 300, requests: 9_000, probes: 8_000 })];
    const window = windowOf({ byClient, unlisted: [...unlisted, addressesOf({ addresses: 70 })] });
    expect(hackingProbe.find(window, websiteOf(window))).toMatchObject([
      {
        subject: '',
        message: expect.stringMatching(/^302 addresses asked 8080 times in 15 minutes/),
        details: {
          ...{ address_count: 302, requests: 9_090, probes: 8_080 },
          addresses: byClient.map(({ ip, sampleUserAgent }) => ({ ip, user_agent: sampleUserAgent })),
        },
      },
    ]);
  });

  it('says what the address attacks', () => {
    const client = (given: Partial<ClientCounts>) =>
      clientOf({ probes: 200, requests: 200, paths: 3, asName: '', ...given });
    const found = (given: Partial<ClientCounts>) => ofClients(hackingProbe, client(given))[0]!;
    expect(found({ rejected: 190, samplePaths: ['/account/sign-in'] })).toMatchObject({
      message:
        '192.0.2.1 tried to sign in at /account/sign-in: 190 of 200 requests in 15 minutes were refused.',
      details: { attack: 'sign_in' },
    });
    expect(found({ samplePaths: ['/search?q=1%27%20OR'] })).toMatchObject({
      message:
        '192.0.2.1 sent 200 requests in 15 minutes that only attackers send, such as one for /search?q=1%27%20OR.',
      details: { attack: 'requests' },
    });
    expect(found({ samplePaths: ['/.env'] }).details.attack).toBe('paths');
  });

  it('waits for a second window, unless an address probes 150 times', () => {
    expect(ofClients(hackingProbe, scanner('192.0.2.1'))).toMatchObject([{ isSure: false }]);
    const busy = { ...scanner('192.0.2.1'), probes: 150, requests: 150 };
    expect(ofClients(hackingProbe, busy)).toMatchObject([{ isSure: true }]);
  });

  it('ignores a few probes, and verified crawlers', () => {
    expect(ofClients(hackingProbe, clientOf({ probes: 14, paths: 14 }))).toEqual([]);
    expect(ofClients(hackingProbe, { ...scanner('192.0.2.1'), verification: 'verified' })).toEqual([]);
  });
});

describe('scraper', () => {
  const taking = (given: Partial<ClientCounts>) =>
    clientOf({ requests: 320, pages: 300, paths: 190, ...given });

  it('names an address that fetches page after page', () => {
    expect(ofClients(scraper, taking({ ip: '192.0.2.1' }))).toMatchObject([
      { subject: '192.0.2.1', details: { pages: 300 } },
    ]);
  });

  it('ignores people behind one address, who fetch pictures too', () => {
    expect(ofClients(scraper, taking({ requests: 1_500 }))).toEqual([]);
  });

  it('ignores pollers of one page, slow readers and verified crawlers', () => {
    expect(ofClients(scraper, taking({ paths: 3 }))).toEqual([]);
    expect(ofClients(scraper, taking({ pages: 110, requests: 120 }))).toEqual([]);
    expect(ofClients(scraper, taking({ verification: 'verified' }))).toEqual([]);
  });

  it('ignores declared crawlers, but not tools that fetch pages', () => {
    const found = (category: string) => {
      return ofClients(scraper, taking({ botName: 'Some', botCategory: category }));
    };
    expect(found('seo')).toEqual([]);
    expect(found('tool')).toHaveLength(1);
  });

  it('leaves scanners to hacking_probe', () => {
    expect(ofClients(scraper, taking({ probes: 200 }))).toEqual([]);
  });
});

describe('fake_crawler', () => {
  const impostor = (given: Partial<BotCounts> = {}) =>
    botOf({ name: 'Googlebot', verification: 'spoofed', requests: 60, sampleIp: '192.0.2.5', ...given });
  const found = (byBot: BotCounts[], usual = 0) => {
    const byClient = [
      clientOf({ ip: '192.0.2.5', botName: 'Googlebot', verification: 'spoofed', requests: 60 }),
    ];
    const window = windowOf({ byBot, byClient });
    return fakeCrawler.find(window, websiteOf(window, { memory: memoryOf({ usualRate: () => usual }) }));
  };

  it('names the claimed crawler and the addresses', () => {
    expect(found([impostor()])).toMatchObject([
      {
        subject: 'Googlebot',
        details: { current_value: 60, addresses: [{ ip: '192.0.2.5', requests: 60 }] },
      },
    ]);
  });

  it('shows the sample address of the claim if no address is listed', () => {
    const window = windowOf({ byBot: [impostor()] });
    expect(fakeCrawler.find(window, websiteOf(window))).toMatchObject([
      { details: { addresses: [{ ip: '192.0.2.5' }] } },
    ]);
  });

  it('makes one alert of many names', () => {
    const many = Array.from({ length: 6 }, (_, index) => impostor({ name: `bot${index}` }));
    expect(found(many)).toMatchObject([
      {
        subject: '',
        details: {
          claimed_bots: many.map(({ name }) => name),
          current_value: 360,
          addresses: [{ ip: '192.0.2.5' }],
        },
      },
    ]);
    expect(found(many.slice(1))).toHaveLength(5);
  });

  it('ignores the real crawler, a few requests, and as many as usual', () => {
    expect(found([impostor({ verification: 'verified' })])).toEqual([]);
    expect(found([impostor({ requests: 19 })])).toEqual([]);
    expect(found([impostor()], 10)).toEqual([]);
  });
});

describe('undeclared_agent', () => {
  const agent = (requests: number, operator = 'OpenAI') =>
    botOf({ name: '', operator, verification: 'undeclared', requests });
  const foundOf = (byBot: BotCounts[]) => {
    const window = windowOf({ byBot });
    return undeclaredAgent.find(window, websiteOf(window));
  };
  const found = (requests: number) => foundOf([agent(requests)]);

  it('names the operator', () => {
    expect(found(60)).toMatchObject([{ subject: 'OpenAI', severity: 'info' }]);
  });

  it('makes one alert of many operators', () => {
    const many = Array.from({ length: 6 }, (_, index) => agent(60, `Operator ${index}`));
    expect(foundOf(many)).toMatchObject([{ subject: '', severity: 'info', details: { current_value: 360 } }]);
    expect(foundOf(many.slice(1))).toHaveLength(5);
  });

  it('ignores a few requests', () => {
    expect(found(19)).toEqual([]);
  });
});

describe('new_bot', () => {
  const found = (
    requests: number,
    seen: { firstSeen: number; requests: number },
    firstLogAt = END - 9 * DAY_MS,
  ) => {
    const window = windowOf({ byBot: [botOf({ name: 'Newbot', requests })] });
    const memory = memoryOf({ bot: () => ({ lastSeen: END, ...seen }) });
    return newBot.find(window, websiteOf(window, { memory, firstLogAt }));
  };
  const lately = END - HOUR_MS;

  it('reports a bot in the window in which it reaches 40 requests', () => {
    expect(found(30, { firstSeen: lately, requests: 60 })).toMatchObject([
      { subject: 'Newbot', details: { bot_name: 'Newbot', sample_user_agent: 'Examplebot/1.0' } },
    ]);
  });

  it('counts all requests since the bot was first seen, not only those of the newest window', () => {
    const since = { firstSeen: END - 20 * HOUR_MS, requests: 40 };
    expect(found(1, since)).toMatchObject([
      { message: 'Newbot is new on this website: 40 requests in 20 hours.', details: { requests: 40 } },
    ]);
  });

  it('leaves probing bots, scraping bots and attack tools to their own rules', () => {
    const foundWith = (name: string, client: Partial<ClientCounts>) => {
      const window = windowOf({
        byBot: [botOf({ name, category: 'tool', requests: 320 })],
        byClient: [clientOf({ botName: name, requests: 320, ...client })],
      });
      const memory = memoryOf({ bot: () => ({ firstSeen: lately, lastSeen: END, requests: 320 }) });
      return newBot.find(window, websiteOf(window, { memory }));
    };
    expect(foundWith('Newbot', { probes: 300, paths: 20 })).toEqual([]);
    expect(foundWith('Newbot', { pages: 300, paths: 190 })).toEqual([]);
    expect(foundWith('zgrab', {})).toEqual([]);
    expect(foundWith('Newbot', { requests: 150, probes: 150, paths: 20 })).toHaveLength(1);
    expect(foundWith('Newbot', {})).toHaveLength(1);
  });

  it('reports nothing before 40 requests, twice, or for a bot that needed more than a day', () => {
    expect(found(30, { firstSeen: lately, requests: 39 })).toEqual([]);
    expect(found(30, { firstSeen: lately, requests: 90 })).toEqual([]);
    expect(found(30, { firstSeen: END - 2 * DAY_MS, requests: 60 })).toEqual([]);
  });

  it('reports only bots with 1,000 requests in a website’s first week, when most bots are new only to the detector', () => {
    const inFirstWeek = (requests: number, all: number) =>
      found(requests, { firstSeen: lately, requests: all }, lately - 3 * DAY_MS);
    expect(inFirstWeek(30, 60)).toEqual([]);
    expect(inFirstWeek(300, 1_200)).toHaveLength(1);
    expect(inFirstWeek(300, 1_400)).toEqual([]);
  });

  it('reports nothing on a website’s first day, when every bot is new', () => {
    expect(found(30, { firstSeen: lately, requests: 60 }, lately - 23 * HOUR_MS)).toEqual([]);
  });

  it('makes one alert of many names', () => {
    const byBot = Array.from({ length: 6 }, (_, index) => botOf({ name: `Bot${index}`, requests: 60 }));
    const window = windowOf({ byBot });
    const memory = memoryOf({
      bot: (name) => ({ firstSeen: name === 'Bot5' ? lately : END - MINUTE_MS, lastSeen: END, requests: 70 }),
    });
    expect(newBot.find(window, websiteOf(window, { memory }))).toMatchObject([
      {
        subject: '',
        message: '6 bots are new on this website: 420 requests in 60 minutes, of Bot0, Bot1, Bot2 and more.',
        details: { bot_count: 6, requests: 420, first_seen_at: new Date(lately).toISOString() },
      },
    ]);
  });
});
