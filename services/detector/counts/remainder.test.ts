import { describe, expect, it } from 'vitest';
import { addressesOf, botOf, clientOf, countsOf } from '../../../test/harness/detector/counts.js';
import { remainderOf } from './remainder.js';
import type { SpanCounts } from './span-counts.js';

const left = (counts: Partial<SpanCounts>, isNew: (name: string) => boolean = () => false) =>
  remainderOf(countsOf({ requests: 1_000, people: 900, ...counts }), 5, isNew);

const failing = { requests: 0, people: 0 };

describe('the remainder', () => {
  it('leaves out only the probes of a shared address, such as the website’s own proxy', () => {
    const proxy = clientOf({
      requests: 950,
      probes: 2,
      notFound: 12,
      pages: 300,
      paths: 200,
      isPerson: true,
    });
    const counts = { status4xx: 12, notFound: 12, status5xx: 5, byClient: [proxy] };
    expect(left(counts)).toEqual({
      ...{ requests: 998, people: 900, errors: 15, notFound: 10, status5xx: 5, failing },
      ofPeople: { errors: 15, notFound: 10, status5xx: 5 },
    });
  });

  it('leaves out no more pages not found than a shared address has', () => {
    const byClient = [
      clientOf({ requests: 500, probes: 40, paths: 20, notFound: 3, rejected: 10, isPerson: true }),
    ];
    expect(left({ status4xx: 13, notFound: 3, rejected: 10, byClient })).toMatchObject({
      requests: 960,
      errors: 0,
      notFound: 0,
      ofPeople: { errors: 0, notFound: 0 },
    });
  });

  it('leaves out all requests of a scanner, and of a word list that is recognised by its refusals', () => {
    const scanner = {
      requests: 100,
      probes: 50,
      paths: 20,
      notFound: 60,
      rejected: 20,
      status5xx: 10,
      isPerson: true,
    };
    const counts = { status4xx: 80, notFound: 60, rejected: 20, status5xx: 12 };
    const met = { errors: 2, notFound: 0, status5xx: 2 };
    const nothingElse = { requests: 900, people: 800, ...met, failing, ofPeople: met };
    expect(left({ ...counts, byClient: [clientOf(scanner)] })).toEqual(nothingElse);
    expect(left({ ...counts, byClient: [clientOf({ ...scanner, probes: 10 })] })).toEqual(nothingElse);
    expect(left({ ...counts, byClient: [clientOf({ ...scanner, probes: 9 })] }).requests).toBe(991);
  });

  it('leaves out addresses beyond the list like listed ones', () => {
    const met = { requests: 400, notFound: 300, rejected: 40, isPerson: true, addresses: 200 };
    const unlisted = [addressesOf({ ...met, isScanning: true, hasProbes: true, probes: 300 })];
    expect(left({ status4xx: 345, notFound: 302, rejected: 43, unlisted })).toMatchObject({
      ...{ requests: 600, people: 500, errors: 5, notFound: 2 },
      ofPeople: { errors: 5, notFound: 2 },
    });
    const shared = [addressesOf({ ...met, hasProbes: true, probes: 30 })];
    expect(left({ status4xx: 345, notFound: 302, unlisted: shared })).toMatchObject({ requests: 970 });
  });

  it('keeps the errors of addresses that are refused, and counts their requests', () => {
    const guesser = clientOf({ requests: 300, rejected: 290, isPerson: true });
    const found = left({ status4xx: 290, rejected: 290, byClient: [guesser] });
    expect(found).toMatchObject({ requests: 1_000, errors: 290, failing: { requests: 300, people: 300 } });
    const bot = { ...guesser, botName: 'curl', verification: 'unverifiable' };
    for (const client of [bot, { ...guesser, rejected: 149 }, clientOf({ requests: 9, rejected: 9 })])
      expect(left({ byClient: [client] }).failing).toEqual(failing);
  });

  it('leaves out a scraper and its server errors', () => {
    const byClient = [clientOf({ requests: 420, pages: 400, paths: 300, status5xx: 40 })];
    expect(left({ status5xx: 42, byClient })).toMatchObject({ requests: 580, errors: 2, status5xx: 2 });
  });

  it('leaves out refusals of all bots, once, but not their other errors', () => {
    const byBot = [
      botOf({ name: 'Bytespider', category: 'ai', requests: 60, rejected: 60 }),
      botOf({ name: 'CensysInspect', category: 'security', requests: 20, rejected: 20 }),
      botOf({ name: 'curl', category: 'tool', requests: 30, rejected: 10, notFound: 15, status5xx: 5 }),
    ];
    const curl = { requests: 30, probes: 20, paths: 9, notFound: 15, rejected: 10, status5xx: 5 };
    const byClient = [clientOf({ ...curl, botName: 'curl', verification: 'unverifiable' })];
    const counts = { status4xx: 115, rejected: 90, notFound: 25, status5xx: 7, byBot };
    expect(left(counts)).toMatchObject({ requests: 1_000, errors: 32, notFound: 25, status5xx: 7 });
    expect(left({ ...counts, byClient })).toMatchObject({
      requests: 970,
      errors: 12,
      notFound: 10,
      status5xx: 2,
    });
  });

  it('leaves out an impostor once, even where its address also scrapes', () => {
    const agent = botOf({
      name: '',
      operator: 'OpenAI',
      verification: 'undeclared',
      requests: 400,
      notFound: 20,
    });
    const byClient = [
      clientOf({ requests: 400, pages: 400, paths: 300, notFound: 20, verification: 'undeclared' }),
    ];
    const counts = { status4xx: 30, notFound: 30, byBot: [agent], byClient };
    expect(left(counts)).toMatchObject({ requests: 600, errors: 10, notFound: 10 });
    const fresh = botOf({ name: 'Newbot', requests: 300, notFound: 9, status5xx: 8 });
    const of = { status4xx: 9, notFound: 9, status5xx: 9, byBot: [fresh] };
    expect(left(of, (name) => name === 'Newbot')).toMatchObject({ requests: 700, errors: 1, status5xx: 1 });
  });

  it('counts failures of people without those of bots, listed or not', () => {
    const counts = { status4xx: 60, notFound: 10, status5xx: 8 };
    expect(left({ ...counts, botsNotFound: 6, botsOther4xx: 47, bots5xx: 8 })).toMatchObject({
      errors: 68,
      ofPeople: { errors: 7, notFound: 4, status5xx: 0 },
    });
  });

  it('subtracts a scanner from people’s failures only beyond the failures of bots', () => {
    const scanner = { requests: 400, probes: 400, paths: 90, notFound: 400, isPerson: true };
    const mixed = clientOf({ ...scanner, botName: 'curl', verification: 'unverifiable' });
    const counts = { status4xx: 440, notFound: 440, botsNotFound: 1 };
    expect(left({ ...counts, byClient: [clientOf(scanner)] }).ofPeople.notFound).toBe(39);
    expect(left({ ...counts, byClient: [mixed] }).ofPeople.notFound).toBe(40);
  });

  it('is never negative', () => {
    const byBot = [
      botOf({ verification: 'spoofed', requests: 5_000, notFound: 50, rejected: 50, status5xx: 50 }),
    ];
    const none = { errors: 0, notFound: 0, status5xx: 0 };
    expect(left({ byBot })).toEqual({ requests: 0, people: 0, ...none, failing, ofPeople: none });
  });
});
