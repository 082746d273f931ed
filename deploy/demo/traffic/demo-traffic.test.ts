import { createHash } from 'node:crypto';
import { isbot } from 'isbot';
import { describe, expect, it } from 'vitest';
import { addToTruth, countTruth, emptyTruth } from '../../../test/harness/demo-truth.js';
import { within } from './calendar.js';
import { type DemoActor, type DemoRequest, demoActors } from './demo-request.js';
import { type DemoOptions, demoIncidents, demoTraffic, demoWindow } from './demo-traffic.js';
import { asLogpush } from './formats.js';

const options: DemoOptions = {
  seed: 'test',
  days: 7,
  requestsPerDay: 20_000,
  end: Date.parse('2026-11-21T08:20:00Z'),
  domain: 'example.com',
};
const week: DemoRequest[] = [...demoTraffic(options)];
const truth = countTruth(week);
const incidents = demoIncidents(options);

const isHuman = ({ actor }: DemoRequest) => actor === 'human' || actor === 'ai_visitor';
const hash = (given: DemoOptions) => {
  const digest = createHash('sha256');
  for (const request of demoTraffic(given)) digest.update(asLogpush(request));
  return digest.digest('hex');
};

describe('the same seed', () => {
  const short = { ...options, days: 1, requestsPerDay: 5_000 };

  it('gives exactly the same requests', () => {
    expect(hash(short)).toBe(hash(short));
  });

  it('is necessary: another seed gives other requests', () => {
    expect(hash(short)).not.toBe(hash({ ...short, seed: 'other' }));
  });
});

describe('the timeline', () => {
  it('is in the order of time, within its window', () => {
    const { start, end } = demoWindow(options);
    const times = week.map(({ timestamp }) => timestamp);
    expect(times.every((time, index) => index === 0 || time >= times[index - 1]!)).toBe(true);
    expect(times[0]).toBeGreaterThanOrEqual(start);
    expect(times.at(-1)).toBeLessThan(end);
  });

  it('has about the requested number of requests', () => {
    expect(week.length).toBeGreaterThan(0.93 * 140_000);
    expect(week.length).toBeLessThan(1.1 * 140_000);
  });

  it.each([0.25, 1, 3])('works for windows of %d days', (days) => {
    const some = { ...options, days, requestsPerDay: 10_000 };
    const { start, end } = demoWindow(some);
    const { outage, deploy } = demoIncidents(some);
    expect(outage.start).toBeLessThan(end);
    expect(deploy.end).toBeGreaterThan(start);
    const count = [...demoTraffic(some)].length;
    expect(count).toBeGreaterThan(days * 10_000 * 0.3);
    expect(count).toBeLessThan(days * 10_000 * 1.5);
  });

  it('has people in daily waves, with several times as many in the evening as at night', () => {
    const byHour = new Array<number>(24).fill(0);
    for (const request of week) {
      // Only one country, since other time zones have other nights.
      if (isHuman(request) && request.source_country === 'DE') {
        byHour[(new Date(request.timestamp).getUTCHours() + 1) % 24]! += 1;
      }
    }
    const evening = byHour[19]! + byHour[20]! + byHour[21]!;
    const night = byHour[2]! + byHour[3]! + byHour[4]!;
    expect(evening / night).toBeGreaterThan(5);
  });
});

describe('incidents', () => {
  const between = (span: { start: number; end: number }) =>
    week.filter(({ timestamp }) => within(span, timestamp));
  const isServerError = ({ status }: DemoRequest) => status >= 500;

  it('include exactly one hour in which most pages answer 502, 503 or 504', () => {
    const during = between(incidents.outage);
    const pages = during.filter(
      ({ cache_status, status }) => cache_status !== 'hit' && status !== 402 && status !== 403,
    );
    expect(pages.filter(isServerError).length / pages.length).toBeGreaterThan(0.75);
    expect(new Set(during.filter(isServerError).map(({ status }) => status))).toEqual(
      new Set([502, 503, 504]),
    );
    const others = week.filter(({ timestamp }) => !within(incidents.outage, timestamp));
    expect(others.filter(isServerError).length / others.length).toBeLessThan(0.002);
  });

  it('include a deployment that makes pages several times slower', () => {
    const meanOfPages = (requests: DemoRequest[]) => {
      const pages = requests.filter(({ cache_status, status }) => cache_status === 'miss' && status === 200);
      return pages.reduce((sum, { time_taken_ms }) => sum + time_taken_ms, 0) / pages.length;
    };
    expect(meanOfPages(between(incidents.deploy)) / meanOfPages(week)).toBeGreaterThan(2.5);
  });
});

describe('the mix', () => {
  const bands: Record<DemoActor, [number, number]> = {
    human: [0.5, 0.65],
    ai_visitor: [0.01, 0.04],
    search_bot: [0.1, 0.2],
    spoofed_bot: [0.005, 0.03],
    undeclared_agent: [0.003, 0.012],
    ai_training: [0.05, 0.12],
    ai_search: [0.01, 0.04],
    ai_fetcher: [0.01, 0.03],
    seo_tool: [0.02, 0.07],
    monitoring: [0.005, 0.02],
    social_preview: [0.003, 0.02],
    feed_reader: [0.001, 0.01],
    archive: [0.0003, 0.004],
    unknown_bot: [0.001, 0.008],
    scanner: [0.03, 0.08],
  };

  it.each(demoActors)('has %s within its band', (actor) => {
    const share = truth.byActor.get(actor)! / week.length;
    expect(share).toBeGreaterThan(bands[actor][0]);
    expect(share).toBeLessThan(bands[actor][1]);
  });

  it('has the status codes of a healthy shop', () => {
    const share = (status: number) => (truth.byStatus.get(status) ?? 0) / week.length;
    expect(share(200)).toBeGreaterThan(0.8);
    expect(share(404)).toBeGreaterThan(0.02);
    expect(share(404)).toBeLessThan(0.08);
    for (const status of [301, 302, 303, 304, 401, 403, 429, 499, 500])
      expect(share(status)).toBeGreaterThan(0);
  });

  it('has as many addresses, paths and user agents as real traffic', () => {
    const people = new Set(week.filter(isHuman).map(({ client_ip }) => client_ip));
    const perMillion = (people.size / week.length) * 1e6;
    expect(perMillion).toBeGreaterThan(60_000);
    expect(perMillion).toBeLessThan(100_000);
    expect(truth.byPath.size).toBeGreaterThan(8_000);
    expect(truth.byUserAgent.size).toBeGreaterThan(300);
    expect(truth.byUserAgent.size).toBeLessThan(1_500);
  });

  it('has people whose user agents are in no bot list', () => {
    const flagged = new Set(week.filter((request) => isHuman(request) && isbot(request.user_agent)));
    expect(flagged.size).toBe(0);
  });

  it('has impostors from other networks than the crawlers they claim to be', () => {
    const real = new Set(
      week.filter(({ actor }) => actor === 'search_bot').map(({ client_ip }) => client_ip),
    );
    const impostors = week.filter(({ actor }) => actor === 'spoofed_bot');
    expect(impostors.some(({ user_agent }) => user_agent.includes('Googlebot'))).toBe(true);
    expect(impostors.filter(({ client_ip }) => real.has(client_ip))).toEqual([]);
  });

  it('has AI-referred visitors named by referrer or by utm_source', () => {
    const named = week.filter(
      ({ actor, referrer, target }) =>
        actor === 'ai_visitor' &&
        (/^https:\/\/chatgpt\.com\//.test(referrer) || target.includes('utm_source=chatgpt.com')),
    );
    expect(named.length).toBeGreaterThan(100);
  });
});

describe('pages that assistants quote', () => {
  const isSent = ({ actor, referrer, target }: DemoRequest) =>
    actor === 'ai_visitor' &&
    (/^https:\/\/(?!example\.com)/.test(referrer) || target.includes('utm_source='));
  const ofPath = (requests: DemoRequest[]) => {
    const counts = new Map<string, number>();
    for (const { target } of requests) {
      const path = target.split('?', 1)[0]!;
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    return [...counts].sort(([, one], [, other]) => other - one);
  };

  it('are mainly one guide, which assistants fetch for users, and few people find otherwise', () => {
    const sent = ofPath(week.filter(isSent));
    const [guide, visits] = sent[0]!;
    expect(guide).toMatch(/^\/blog\//);
    expect(visits).toBeGreaterThan(1.5 * sent[1]![1]);
    const fetched = ofPath(
      week.filter(({ actor, target }) => actor === 'ai_fetcher' && target.startsWith('/blog/')),
    );
    expect(fetched[0]![0]).toBe(guide);
    const others = week.filter(({ actor, target }) => actor === 'human' && target.split('?', 1)[0] === guide);
    expect(visits).toBeGreaterThan(others.length);
  });
});

describe('pages that search crawlers find', () => {
  const crawled = week.filter(({ actor }) => actor === 'search_bot');
  const below = (start: string) => crawled.filter(({ target }) => target.startsWith(start));

  it('include endless sections with a share of the crawl: filters, and a calendar', () => {
    const filters = below('/c/').filter(({ target }) => target.includes('?'));
    expect(filters.length / crawled.length).toBeGreaterThan(0.08);
    const calendar = below('/hire/calendar/');
    expect(calendar.length / crawled.length).toBeGreaterThan(0.02);
    expect(new Set(calendar.map(({ target }) => target)).size).toBeGreaterThan(100);
  });

  it('include exactly one template that fails sometimes, on all of its pages', () => {
    const failed = (requests: DemoRequest[]) =>
      requests.filter(({ status }) => status >= 500).length / requests.length;
    const hires = below('/hire/').filter(({ target }) => !target.startsWith('/hire/calendar/'));
    const pages = new Set(hires.map(({ target }) => target));
    expect(pages.size).toBe(40);
    expect(failed(hires)).toBeGreaterThan(0.1);
    expect(failed(hires)).toBeLessThan(0.4);
    for (const start of ['/p/', '/c/', '/blog/', '/hire/calendar/'])
      expect(failed(below(start)), start).toBeLessThan(0.02);
  });
});

describe('the truth', () => {
  it('has the same totals in every dimension, counted together or one by one', () => {
    const sum = (counts: Map<unknown, number>) => [...counts.values()].reduce((a, b) => a + b, 0);
    for (const counts of [
      truth.byStatus,
      truth.byPath,
      truth.byMethod,
      truth.byUserAgent,
      truth.byClientIp,
      truth.byReferrerHost,
      truth.byCountry,
      truth.byHour,
      truth.byActor,
    ]) {
      expect(sum(counts)).toBe(week.length);
    }
    const oneByOne = emptyTruth();
    for (const request of week) addToTruth(oneByOne, request);
    expect(oneByOne).toEqual(truth);
    expect(truth.bytesSent).toBe(week.reduce((total, { bytes_sent }) => total + bytes_sent, 0));
  });
});
