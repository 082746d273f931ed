import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../shared/durations.js';
import { botOf, clientOf } from '../../test/harness/detector/counts.js';
import {
  type Change,
  type Given,
  knownWebsite,
  NOW,
  playSteady,
} from '../../test/harness/detector/steady-traffic.js';
import { decodeState, encodeState } from './evaluation/website-state.js';

const KNOWN = encodeState(knownWebsite());

/** The shortest possible windows for every type. */
const often = {
  ...{ traffic_frequency_minutes: 5, error_frequency_minutes: 5, bot_frequency_minutes: 5 },
  seo_frequency_minutes: 5,
};

const foundBy = (type: string, change: Change, given: Given = {}) =>
  playSteady(decodeState(KNOWN), { start: NOW, end: NOW + 2 * HOUR_MS }, change, {
    settings: often,
    ...given,
  })
    .flatMap(({ alerts }) => alerts)
    .find((alert) => alert.type === type)!;

describe('evidence', () => {
  it('covers the window in the message', () => {
    const few: Change = (usual, at) => ({
      ...usual,
      requests: 40,
      people: 40,
      ...{ bots: 0, byBot: [], status4xx: 5, notFound: 0, rejected: 5 },
      byClient: [clientOf({ ip: '192.0.2.7', requests: 6, rejected: 5, sampleUserAgent: `${at}` })],
    });
    const found = foundBy('error_rate', few);
    const { window_minutes, current_value, status_4xx, refused } = found.details;
    expect(window_minutes).toBeGreaterThan(5);
    expect(status_4xx).toBe(current_value);
    expect(refused).toMatchObject([{ ip: '192.0.2.7', rejected: current_value }]);
    expect(found.message).toContain(`(${current_value} of `);
  });

  it.each([
    ['traffic_drop', 0.3],
    ['traffic_spike', 2.6],
  ])('of a %s covers the time in the message', (type, times) => {
    const found = foundBy(type, (usual) => {
      const people = Math.round(usual.people * times);
      return { ...usual, people, requests: people + usual.bots };
    });
    const { window_minutes, current_value, people, bots } = found.details;
    expect(window_minutes).toBeGreaterThanOrEqual(20);
    expect(Number(people) + Number(bots)).toBe(current_value);
    expect(bots).toBe((10 * Number(window_minutes)) / 5);
    expect(found.message).toContain(`${current_value} requests in ${window_minutes} minutes`);
  });

  it('names no suppressed bot, in any part of the time', () => {
    const busy: Change = (usual) => ({
      ...usual,
      people: usual.people + 480,
      requests: usual.requests + 480,
      byBot: [...usual.byBot, botOf({ name: 'Loudbot', requests: 5 })],
    });
    const names = (given?: Given) =>
      (foundBy('traffic_spike', busy, given).details.busiest_bots as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(names()).toEqual(['Googlebot', 'Loudbot']);
    expect(names({ suppressed: ['loudbot'] })).toEqual(['Googlebot']);
  });
});
