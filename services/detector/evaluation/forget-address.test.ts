import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../shared/alerts/alert.js';
import { HOUR_MS } from '../../../shared/durations.js';
import { textsNaming } from '../../../shared/personal-data/naming-address.js';
import { botOf, clientOf } from '../../../test/harness/detector/counts.js';
import {
  type Change,
  knownWebsite,
  NOW,
  playSteady,
  STEP,
} from '../../../test/harness/detector/steady-traffic.js';
import { forgetAddress } from './forget-address.js';
import { decodeState, encodeState, newWebsiteState, type WebsiteState } from './website-state.js';

const ADDRESS = '198.51.100.7';
const names = textsNaming(ADDRESS);
const KNOWN = encodeState(knownWebsite());

/** A client that probes, claims to be a crawler, and puts its address into every text of its requests. */
const probing: Change = (usual) => ({
  ...usual,
  status4xx: 200,
  notFound: 190,
  byBot: [
    ...usual.byBot,
    botOf({ name: 'Googlebot', verification: 'spoofed', requests: 90, sampleIp: ADDRESS }),
    botOf({ name: `Bot of ${ADDRESS}`, family: '', requests: 60 }),
    botOf({ name: '', operator: ADDRESS, verification: 'undeclared', requests: 80 }),
    botOf({ name: `ai ${ADDRESS}`, family: 'Named', category: 'ai', verification: 'verified', requests: 3 }),
  ],
  byClient: [
    clientOf({ ip: ADDRESS, requests: 190, probes: 180, paths: 90, notFound: 190 }),
    clientOf({ ip: '192.0.2.9', requests: 40, samplePaths: [`/?from=${ADDRESS}`] }),
  ],
  paths: [{ path: `/${ADDRESS}/.env`, status: 404, requests: 190 }],
});

/** A state in the middle of windows, with open alerts. */
function probed(): { state: WebsiteState; alerts: Alert[] } {
  const state = decodeState(KNOWN);
  const evaluations = playSteady(state, { start: NOW, end: NOW + HOUR_MS + STEP }, probing);
  return { state, alerts: evaluations.flatMap(({ alerts }) => alerts) };
}

const goOn = (state: WebsiteState, change?: Change) =>
  playSteady(state, { start: NOW + HOUR_MS + STEP, end: NOW + 2 * HOUR_MS }, change).flatMap(
    ({ alerts }) => alerts,
  );

describe('a state from which an address was forgotten', () => {
  it('named it in every part, and names it nowhere', () => {
    const { state } = probed();
    const { memory, found, open } = JSON.parse(encodeState(state));
    const parts = [memory.bots, memory.crawlers, memory.unwelcome, found.ends, open];
    expect(parts.map((part) => JSON.stringify(part).includes(ADDRESS))).toEqual(parts.map(() => true));
    expect(forgetAddress(state, names)).toBe(true);
    expect(encodeState(state)).not.toContain(ADDRESS);
    expect(forgetAddress(state, names)).toBe(false);
  });

  it('keeps what was learned about the website and all other clients', () => {
    const { state } = probed();
    const before = JSON.parse(encodeState(state));
    forgetAddress(state, names);
    const after = JSON.parse(encodeState(state));
    for (const part of ['baselines', 'silence', 'nextStart', 'firstLogAt', 'lastLogAt', 'recent', 'windows'])
      expect(after[part]).toEqual(before[part]);
    const googlebot = ([name]: [string]) => name === 'Googlebot' || name === 'spoofed|Googlebot';
    expect(after.memory.bots.filter(googlebot)).toEqual(before.memory.bots.filter(googlebot));
    expect(after.memory.unwelcome.filter(googlebot)).toEqual(before.memory.unwelcome.filter(googlebot));
  });

  it('writes no text of it with repeats that join an open alert, and repeats still join', () => {
    const { state, alerts } = probed();
    const fake = alerts.findLast(({ type }) => type === 'fake_crawler')!;
    expect(JSON.stringify(fake)).toContain(ADDRESS);
    forgetAddress(state, names);
    const others: Change = (usual, at) => {
      const counts = probing(usual, at)!;
      return {
        ...counts,
        byBot: counts.byBot.slice(0, 2).map((bot) => ({ ...bot, sampleIp: '192.0.2.8' })),
        ...{ byClient: [], paths: [] },
      };
    };
    const later = goOn(state, others);
    expect(JSON.stringify(later)).not.toContain(ADDRESS);
    const repeat = later.find(({ type }) => type === 'fake_crawler')!;
    expect(repeat).toMatchObject({ alertId: fake.alertId, subject: 'Googlebot', message: '[erased]' });
    expect(repeat).toMatchObject({ details: {}, occurrences: fake.occurrences + 1 });
  });

  it('raises a new alert if the address returns', () => {
    const { state, alerts } = probed();
    const probe = alerts.findLast(({ subject }) => subject === ADDRESS)!;
    expect(probe.occurrences).toBeGreaterThan(1);
    forgetAddress(state, names);
    expect(JSON.stringify(goOn(decodeState(encodeState(state))))).not.toContain(ADDRESS);
    const again = goOn(state, probing).find(
      ({ type, subject }) => type === probe.type && subject === ADDRESS,
    )!;
    expect(again.occurrences).toBe(1);
    expect(again.alertId).not.toBe(probe.alertId);
  });

  it('is unchanged if no text names the address, or only a longer address is named', () => {
    expect(forgetAddress(newWebsiteState('w'), names)).toBe(false);
    const { state } = probed();
    const before = encodeState(state);
    expect(forgetAddress(state, textsNaming('98.51.100.7'))).toBe(false);
    expect(encodeState(state)).toBe(before);
  });
});
