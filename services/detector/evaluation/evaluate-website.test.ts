import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../shared/alerts/alert.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { botOf, clientOf } from '../../../test/harness/detector/counts.js';
import {
  type Change,
  type Given,
  knownWebsite,
  NOW,
  outage,
  playSteady,
  START,
  STEP,
  spike,
} from '../../../test/harness/detector/steady-traffic.js';
import type { Evaluation } from './evaluate-website.js';
import { decodeState, encodeState, newWebsiteState } from './website-state.js';

const KNOWN = encodeState(knownWebsite());
const known = () => decodeState(KNOWN);

const fired = (evaluations: readonly Evaluation[]): Alert[] =>
  evaluations.flatMap(({ alerts }) => alerts.filter(({ occurrences }) => occurrences === 1));
const during = (hours: number, change: Change, given?: Given) =>
  fired(playSteady(known(), { start: NOW, end: NOW + hours * HOUR_MS }, change, given));
const typesOf = (alerts: readonly Alert[]) => alerts.map(({ type }) => type);

/** The shortest possible windows for every type. */
const often = {
  ...{ traffic_frequency_minutes: 5, error_frequency_minutes: 5, bot_frequency_minutes: 5 },
  seo_frequency_minutes: 5,
};

describe('a website with usual traffic', () => {
  it('raises no alert, from its first interval on', () => {
    expect(fired(playSteady(newWebsiteState('w'), { start: START, end: NOW }))).toEqual([]);
  });

  it('has no health before its first log, and has health for each interval after it', () => {
    const state = newWebsiteState('w');
    expect(playSteady(state, { start: START, end: START + STEP }, () => undefined)).toEqual([
      { alerts: [], health: [] },
    ]);
    const [first] = playSteady(state, { start: START + STEP, end: START + 2 * STEP });
    expect(first?.health.map(({ metric }) => metric).sort()).toEqual(
      ['traffic', 'errors', 'bots', 'crawlers', 'not_found', 'latency'].sort(),
    );
    expect(first?.health[0]).toMatchObject({ start: START + STEP, maturity: 'building' });
  });

  it('evaluates each interval once', () => {
    const state = known();
    const before = encodeState(state);
    playSteady(state, { start: NOW - STEP, end: NOW });
    expect(encodeState(state)).toBe(before);
  });
});

describe('windows', () => {
  it('end with the family’s frequency in UTC', () => {
    const [alert] = during(4, spike, { settings: { traffic_frequency_minutes: 60 } });
    expect(alert).toMatchObject({ type: 'traffic_spike', createdAt: NOW + HOUR_MS });
    const [sooner] = during(4, spike, { settings: { traffic_frequency_minutes: 5 } });
    expect(sooner?.createdAt).toBe(NOW + STEP);
  });

  it('are shorter if a website starts in the middle of one', () => {
    const state = newWebsiteState('w');
    playSteady(state, { start: START + 10 * MINUTE_MS, end: START + 15 * MINUTE_MS });
    expect(state.windows.traffic).toBeNull();
    expect(state.windows.seo?.start).toBe(START + 10 * MINUTE_MS);
  });
});

describe('an incident', () => {
  it('has the end of its last window with requests as `lastSeen`', () => {
    const stopped: Change = (usual, at) => (at < NOW + 15 * MINUTE_MS ? outage(usual, at) : undefined);
    const evaluations = playSteady(known(), { start: NOW, end: NOW + HOUR_MS }, stopped);
    const seen = evaluations
      .flatMap(({ alerts }) => alerts)
      .filter(({ type }) => type === 'error_spike_5xx')
      .map(({ lastSeen }) => lastSeen);
    expect(seen.at(-1)).toBe(NOW + 15 * MINUTE_MS);
  });

  it('of a refused crawler names that crawler, and no crawler that is served', () => {
    const openAi = (name: string, requests: number, rejected = 0) =>
      botOf({ name, family: 'OpenAI', category: 'ai', verification: 'verified', requests, rejected });
    const visited =
      (rejected: number): Change =>
      (usual) => ({
        ...usual,
        byBot: [...usual.byBot, openAi('GPTBot', 2, rejected), openAi('ChatGPT-User', 21)],
      });
    const state = known();
    playSteady(state, { start: NOW, end: NOW + DAY_MS }, visited(0));
    const alerts = fired(
      playSteady(state, { start: NOW + DAY_MS, end: NOW + DAY_MS + 2 * HOUR_MS }, visited(2)),
    );
    expect(alerts).toMatchObject([
      { type: 'crawler_blocked', subject: 'GPTBot', details: { crawlers: ['GPTBot'], requests: 24 } },
    ]);
  });
});

describe('one cause', () => {
  it('an outage is one incident with all its effects', () => {
    expect(typesOf(during(3, outage))).toEqual(['error_spike_5xx']);
  });

  it('an outage has its first and its last failed request', () => {
    const at = (start: number) => ({ first: start + 3_000, last: start + STEP - 2_000 });
    let begun = 0;
    let last = 0;
    const dated: Change = (usual, start) => {
      const failing = outage(usual, start)!;
      begun ||= start;
      last = start;
      return { ...failing, failedAt: { ...failing.failedAt, status5xx: at(start) } };
    };
    const alert = playSteady(known(), { start: NOW, end: NOW + 3 * HOUR_MS }, dated)
      .flatMap(({ alerts }) => alerts)
      .at(-1);
    expect(alert?.details).toMatchObject({
      began_after: new Date(begun).toISOString(),
      first_request_at: new Date(at(begun).first).toISOString(),
      last_request_at: new Date(at(last).last).toISOString(),
    });
  });

  it('an outage is one incident even if all types have the same window', () => {
    expect(typesOf(during(3, outage, { settings: often }))).toEqual(['error_spike_5xx']);
  });

  it('logs that stop are a silence, and not a drop of traffic or of crawlers', () => {
    expect(typesOf(during(5, () => undefined, { settings: often }))).toEqual(['log_silence']);
  });

  it('refused bots do not hide a blocked crawler', () => {
    const refused: Change = (usual) => ({
      ...usual,
      status4xx: usual.status4xx + 90,
      rejected: usual.rejected + 90,
      byBot: usual.byBot.map((bot) => ({ ...bot, rejected: 10 })),
    });
    const alerts = during(3, refused, { settings: often });
    expect(typesOf(alerts)).toEqual(expect.arrayContaining(['error_rate', 'crawler_blocked']));
  });

  it('people’s missing pages do not hide errors of a crawler', () => {
    const missing: Change = (usual) => ({
      ...usual,
      status4xx: usual.status4xx + 60,
      notFound: usual.notFound + 60,
      byBot: usual.byBot.map((bot) => ({ ...bot, notFound: 10 })),
    });
    const alerts = during(3, missing, { settings: often });
    expect(typesOf(alerts)).toEqual(expect.arrayContaining(['not_found_spike', 'crawler_errors']));
  });

  it('a cause of a disabled family still inhibits its effects', () => {
    expect(during(3, outage, { settings: { ...often, error_alerts_enabled: false } })).toEqual([]);
  });
});

describe('settings', () => {
  it('disable all alerts, or those of one family', () => {
    expect(typesOf(during(1, spike))).toEqual(['traffic_spike']);
    expect(during(1, spike, { settings: { alerts_enabled: false } })).toEqual([]);
    expect(during(1, spike, { settings: { traffic_alerts_enabled: false } })).toEqual([]);
    expect(typesOf(during(1, spike, { settings: { error_alerts_enabled: false } }))).toEqual([
      'traffic_spike',
    ]);
  });

  it('suppress the named bots, and nothing else', () => {
    const impostors: Change = (usual) => ({
      ...usual,
      byBot: ['Googlebot', 'bingbot'].map((name) => botOf({ name, verification: 'spoofed', requests: 60 })),
    });
    const subjects = (given?: Given) => during(1, impostors, given).map(({ subject }) => subject);
    expect(subjects()).toEqual(['Googlebot', 'bingbot']);
    expect(subjects({ suppressed: ['googlebot'] })).toEqual(['bingbot']);
  });
});

describe('slow responses', () => {
  const slower: Change = (usual) => ({ ...usual, timeTakenMs: 1.8 * usual.timeTakenMs });

  it('are reported on a website of one day, whose hours have no known variation, because they are without precedent', () => {
    const state = newWebsiteState('w');
    const begun = START + 30 * HOUR_MS;
    expect(fired(playSteady(state, { start: START, end: begun }))).toEqual([]);
    const evaluations = playSteady(state, { start: begun, end: begun + HOUR_MS }, slower);
    expect(typesOf(fired(evaluations))).toEqual(['latency_spike']);
    const distances = evaluations.flatMap(({ health }) =>
      health.filter(({ metric }) => metric === 'latency').map(({ z }) => z),
    );
    expect(Math.max(...distances)).toBeLessThan(5);
  });

  it('of only one interval are a deployment', () => {
    const once: Change = (usual, at) => (at === NOW ? slower(usual, at) : usual);
    expect(during(2, once)).toEqual([]);
  });
});

describe('learning', () => {
  const usualAfter = (hours: number, change: Change) => {
    const state = known();
    playSteady(state, { start: NOW, end: NOW + hours * HOUR_MS }, change);
    const [next] = playSteady(state, { start: NOW + hours * HOUR_MS, end: NOW + hours * HOUR_MS + STEP });
    return next!.health.find(({ metric }) => metric === 'traffic')!.mean;
  };

  it('excludes anomalous intervals', () => {
    const usual = usualAfter(3, (counts) => counts);
    expect(Math.abs(usualAfter(3, spike) - usual) / usual).toBeLessThan(0.05);
  });

  it('excludes times in which no logs arrived', () => {
    const usual = usualAfter(3, (counts) => counts);
    expect(Math.abs(usualAfter(3, () => undefined) - usual) / usual).toBeLessThan(0.05);
  });
});

it('concludes nothing from skipped intervals', () => {
  const state = known();
  playSteady(state, { start: NOW, end: NOW + 20 * MINUTE_MS }, () => undefined);
  const after = { start: NOW + 50 * MINUTE_MS, end: NOW + HOUR_MS };
  expect(fired(playSteady(state, after, () => undefined, { settings: often }))).toEqual([]);
  expect(state.windows.seo).toBeNull();
});

it('an empty interval whose logs may still arrive is not a drop', () => {
  expect(during(0.25, () => undefined, { settings: often })).toEqual([]);
});

describe('pages not found among people', () => {
  /** One in four requests of the website comes from a scanner. */
  const scanned: Change = (usual) => ({
    ...usual,
    requests: usual.requests + 100,
    people: usual.people + 100,
    status4xx: usual.status4xx + 100,
    notFound: usual.notFound + 100,
    byClient: [clientOf({ requests: 100, probes: 100, paths: 60, notFound: 100, isPerson: true })],
  });
  const broken: Change = (usual, at) => {
    const counts = scanned(usual, at)!;
    return { ...counts, status4xx: counts.status4xx + 60, notFound: counts.notFound + 60 };
  };

  it('are reported beside a permanent scanner: the usual share excludes its requests', () => {
    const state = newWebsiteState('w');
    playSteady(state, { start: START, end: NOW }, scanned);
    const told = typesOf(
      fired(playSteady(state, { start: NOW, end: NOW + HOUR_MS }, broken, { settings: often })),
    );
    expect(told).toContain('not_found_spike');
  });
});

describe('a website that accepts only bot traffic from some time on', () => {
  const botsAlone: Change = (usual) => ({
    ...usual,
    ...{ requests: 10, people: 0, timed: 10, timeTakenMs: 1_200 },
    ...{ status4xx: 0, notFound: 0, rejected: 0, status5xx: 0 },
  });
  const noBots: Change = (usual, at) => (at % HOUR_MS === 0 ? botsAlone(usual, at) : undefined);
  const changed = { settings: often, takenChangedAt: NOW + MINUTE_MS };

  it.each([
    ['bots go on', botsAlone],
    ['bots are few', noBots],
  ])('reports neither a drop nor a silence if %s', (_case, change) => {
    expect(typesOf(during(6, change))).not.toEqual([]);
    expect(typesOf(during(6, change, changed))).toEqual([]);
  });

  it('restarts learning once, and is evaluated again afterwards', () => {
    const state = known();
    const end = NOW + 3 * DAY_MS;
    expect(fired(playSteady(state, { start: NOW, end }, botsAlone, changed))).toEqual([]);
    expect(state.firstLogAt).toBe(NOW + STEP);
    const again = decodeState(encodeState(state));
    expect(again.takenChangedAt).toBe(changed.takenChangedAt);
    const silent = fired(playSteady(again, { start: end, end: end + 6 * HOUR_MS }, () => undefined, changed));
    expect(typesOf(silent)).toEqual(['log_silence']);
  });

  it('still knows its earlier bots, which are not reported as new', () => {
    const state = known();
    playSteady(state, { start: NOW, end: NOW + DAY_MS }, botsAlone, changed);
    expect(state.memory.bots.get('Googlebot')?.firstSeen).toBe(START);
  });
});
