import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { botOf, clientOf, minute, minuteOf } from '../../test/harness/detector/signal.js';
import { cutLists, emptyMinute, foldMinutes, foldOpen, keepBots, keepClients } from './fold-signals.js';
import {
  MAX_BOTS,
  MAX_CLIENTS,
  MAX_DISTINCT_PATHS,
  MAX_OPEN_BOTS,
  MAX_OPEN_CLIENTS,
  MAX_PATHS,
  type MinuteSignal,
} from './signal.js';

/** What is exact whatever was cut. */
function countsOf({ byBot, byClient, failingPaths, ...counts }: MinuteSignal) {
  return counts;
}

describe('two minutes in one', () => {
  it('counts the same in whatever order and grouping', () => {
    fc.assert(
      fc.property(minute, minute, minute, (a, b, c) => {
        expect(countsOf(foldMinutes(a, b))).toEqual(countsOf(foldMinutes(b, a)));
        expect(countsOf(foldMinutes(foldMinutes(a, b), c))).toEqual(
          countsOf(foldMinutes(a, foldMinutes(b, c))),
        );
        expect(foldMinutes(a, b).requests).toBe(a.requests + b.requests);
        expect(foldMinutes(a, b).bytesSent).toBe(a.bytesSent + b.bytesSent);
      }),
    );
  });

  it('keeps lists bounded, each key once', () => {
    fc.assert(
      fc.property(fc.array(minute, { minLength: 2, maxLength: 6 }), (minutes) => {
        const { byBot, byClient, failingPaths } = minutes.reduce(foldMinutes);
        const open = minutes.reduce(foldOpen);
        expect(open.byBot.length).toBeLessThanOrEqual(MAX_OPEN_BOTS);
        expect(open.byClient.length).toBeLessThanOrEqual(MAX_OPEN_CLIENTS);
        expect(cutLists(open).byBot.length).toBeLessThanOrEqual(MAX_BOTS);
        expect(cutLists(open).byClient.length).toBeLessThanOrEqual(MAX_CLIENTS);
        expect(byBot.length).toBeLessThanOrEqual(MAX_BOTS);
        expect(byClient.length).toBeLessThanOrEqual(MAX_CLIENTS);
        expect(failingPaths.length).toBeLessThanOrEqual(MAX_PATHS);
        expect(new Set(byClient.map(({ ip }) => ip)).size).toBe(byClient.length);
        for (const client of byClient) {
          expect(client.samplePaths.length).toBeLessThanOrEqual(3);
          expect(client.paths).toBeLessThanOrEqual(MAX_DISTINCT_PATHS);
        }
      }),
    );
  });

  it('keeps each entry’s counts while nothing is cut', () => {
    fc.assert(
      fc.property(minute, minute, (a, b) => {
        const sum = (list: readonly { requests: number }[]) =>
          list.reduce((all, one) => all + one.requests, 0);
        const folded = foldMinutes(a, b);
        if (a.byBot.length + b.byBot.length <= MAX_BOTS)
          expect(sum(folded.byBot)).toBe(sum(a.byBot) + sum(b.byBot));
        if (a.byClient.length + b.byClient.length <= MAX_CLIENTS)
          expect(sum(folded.byClient)).toBe(sum(a.byClient) + sum(b.byClient));
        if (a.failingPaths.length + b.failingPaths.length <= MAX_PATHS)
          expect(sum(folded.failingPaths)).toBe(sum(a.failingPaths) + sum(b.failingPaths));
      }),
    );
  });

  it('begins with the earlier, and an empty one changes nothing else', () => {
    fc.assert(
      fc.property(minute, (a) => {
        const folded = foldMinutes(emptyMinute(0), a);
        expect(countsOf(folded)).toEqual({ ...countsOf(a), minute: 0 });
        expect(new Set(folded.byBot)).toEqual(new Set(a.byBot));
        expect(new Set(folded.byClient)).toEqual(new Set(a.byClient));
      }),
    );
  });

  it('keeps the heaviest, verified bots and those who probe', () => {
    const many = minuteOf({
      byBot: Array.from({ length: MAX_BOTS }, (_, i) => botOf({ name: `Bot ${i}`, requests: 100 + i })),
      byClient: Array.from({ length: MAX_CLIENTS }, (_, i) =>
        clientOf({ ip: `10.0.0.${i}`, requests: 100 + i }),
      ),
    });
    const few = minuteOf({
      byBot: [
        botOf({ name: 'Googlebot', verification: 'verified', requests: 1 }),
        botOf({ name: 'Light', requests: 2 }),
        botOf({ name: 'Heavy', requests: 900 }),
      ],
      byClient: [
        clientOf({ ip: '192.0.2.1', requests: 2, probes: 2 }),
        clientOf({ ip: '192.0.2.2', requests: 1 }),
        clientOf({ ip: '192.0.2.3', requests: 900 }),
      ],
    });
    const { byBot, byClient } = foldMinutes(many, few);
    const names = byBot.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['Googlebot', 'Heavy', `Bot ${MAX_BOTS - 1}`]);
    expect(names).not.toContain('Light');
    expect(names).not.toContain('Bot 1');
    const ips = byClient.map(({ ip }) => ip);
    expect(ips[0]).toBe('192.0.2.3');
    expect(ips).toContain('192.0.2.1');
    expect(ips).not.toContain('192.0.2.2');
    expect(ips).not.toContain('10.0.0.1');
  });

  it('shows what fails before what scanners ask for', () => {
    const pay = { path: '/pay', status: 503, requests: 3 };
    const login = { path: '/wp-login.php', status: 503, requests: 90 };
    const probed = Array.from({ length: MAX_PATHS }, (_, i) => ({
      path: `/${i}/.env`,
      status: 404,
      requests: 50,
    }));
    const folded = foldMinutes(
      minuteOf({ failingPaths: [login, ...probed] }),
      minuteOf({ failingPaths: [pay] }),
    );
    expect(folded.failingPaths).toHaveLength(MAX_PATHS);
    expect(folded.failingPaths.slice(0, 2)).toEqual([pay, login]);
  });

  it('leaves room for heavy clients where hundreds probe', () => {
    const probing = Array.from({ length: MAX_CLIENTS }, (_, i) => clientOf({ ip: `10.0.0.${i}`, probes: 1 }));
    const heavy = [clientOf({ ip: '192.0.2.1', requests: 900 })];
    const folded = foldMinutes(minuteOf({ byClient: probing }), minuteOf({ byClient: heavy }));
    expect(folded.byClient).toHaveLength(MAX_CLIENTS);
    expect(folded.byClient[0]!.ip).toBe('192.0.2.1');
  });

  it('keeps two thirds of the places for those who probe where nobody takes pages alone', () => {
    const heavy = Array.from({ length: 60 }, (_, i) => clientOf({ ip: `192.0.2.${i}`, requests: 900 }));
    const probing = Array.from({ length: 25 }, (_, i) => clientOf({ ip: `10.0.0.${i}`, probes: 1 + i }));
    const { byClient } = foldMinutes(minuteOf({ byClient: heavy }), minuteOf({ byClient: probing }));
    const kept = byClient.filter(({ probes }) => probes > 0).map(({ probes }) => probes);
    expect(byClient).toHaveLength(30);
    expect(kept.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => 6 + i));
  });

  it('keeps a scraper where verified crawlers take more pages, and of equally heavy ones those that came last', () => {
    const crawlers = Array.from({ length: 60 }, (_, i) =>
      clientOf({ ip: `10.0.0.${i}`, requests: 500, pages: 500, verification: 'verified' }),
    );
    const scraper = clientOf({ ip: '192.0.2.1', requests: 50, pages: 50 });
    const kept = keepClients([scraper, ...crawlers]).map(({ ip }) => ip);
    expect(kept.at(-1)).toBe(scraper.ip);
    expect(kept).toContain('10.0.0.59');
    expect(kept).not.toContain('10.0.0.0');
  });

  it('keeps heavy bots beside many claims of crawlers', () => {
    const claims = Array.from({ length: 60 }, (_, i) =>
      botOf({ name: `Crawler${i}`, verification: 'spoofed' }),
    );
    const heavy = botOf({ name: '', operator: 'OpenAI', verification: 'undeclared', requests: 6_000 });
    const kept = keepBots([...claims, heavy]);
    expect(kept).toHaveLength(MAX_BOTS);
    expect(kept[0]).toBe(heavy);
  });

  it('knows an address for an agent’s, whichever part of it is larger', () => {
    const agent = clientOf({ requests: 1, verification: 'undeclared' });
    const person = clientOf({ requests: 9, isPerson: true });
    for (const [a, b] of [
      [agent, person],
      [person, agent],
    ] as const) {
      const { byClient } = foldMinutes(minuteOf({ byClient: [a] }), minuteOf({ byClient: [b] }));
      expect(byClient[0]).toMatchObject({ isPerson: true, verification: 'undeclared' });
    }
  });

  it('shows of a client what it probed', () => {
    const visits = clientOf({
      ip: '192.0.2.1',
      requests: 50,
      samplePaths: ['/', '/a', '/b'],
      isPerson: true,
    });
    const probes = clientOf({
      ip: '192.0.2.1',
      requests: 2,
      probes: 2,
      samplePaths: ['/.env'],
      botName: 'curl',
    });
    const [client] = foldMinutes(minuteOf({ byClient: [visits] }), minuteOf({ byClient: [probes] })).byClient;
    expect(client).toMatchObject({ requests: 52, probes: 2, isPerson: true, botName: 'curl' });
    expect(client!.samplePaths).toEqual(['/.env', '/', '/a']);
  });
});
