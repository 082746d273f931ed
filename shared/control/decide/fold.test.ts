import { describe, expect, test } from 'vitest';
import { createDecider } from '../../../test/harness/decider.js';
import type { ControlEvent, Decision } from '../domain/event.js';
import { emptyState, versionOf } from '../domain/state.js';
import { type Command, decide } from './commands.js';
import { evolve } from './fold.js';
import { eventKinds } from './kinds.js';

function decisionOf(...events: ControlEvent[]): Decision {
  return { id: 'dec', at: '2026-11-21T12:00:00.000Z', by: 'admin', events };
}

function created(version = 1, name = 'Shop'): ControlEvent {
  const data = { name, planId: 'free' };
  return { aggregate: 'organisation', aggregateId: 'org_1', version, type: 'organisation.created', data };
}

function planChanged(version: number, planId: string): ControlEvent {
  const type = 'organisation.plan_changed';
  return { aggregate: 'organisation', aggregateId: 'org_1', version, type, data: { planId } };
}

describe('evolve', () => {
  test('an event on an old version changes nothing', () => {
    const state = emptyState();
    expect(evolve(state, decisionOf(created()))).toBe(true);
    expect(evolve(state, decisionOf(planChanged(2, 'scale')))).toBe(true);
    expect(evolve(state, decisionOf(planChanged(2, 'basic')))).toBe(false);
    expect(evolve(state, decisionOf(created(1, 'Other')))).toBe(false);
    expect(state.organisations.get('org_1')).toMatchObject({ name: 'Shop', planId: 'scale' });
    expect(versionOf(state, 'organisation', 'org_1')).toBe(2);
  });

  test('an event ahead of the aggregate’s version changes nothing', () => {
    const state = emptyState();
    evolve(state, decisionOf(created()));
    expect(evolve(state, decisionOf(planChanged(3, 'scale')))).toBe(false);
    expect(state.organisations.get('org_1')?.planId).toBe('free');
  });

  test('one stale event invalidates its whole decision', () => {
    const state = emptyState();
    evolve(state, decisionOf(created()));
    const user = { organisationId: 'org_1', email: 'a@shop.example' };
    const added = { aggregate: 'user', aggregateId: 'usr_1', version: 1, type: 'user.added', data: user };
    expect(evolve(state, decisionOf(added, planChanged(1, 'scale')))).toBe(false);
    expect(state.users.size).toBe(0);
    expect(versionOf(state, 'user', 'usr_1')).toBe(0);
  });

  test('unreadable data is an error that leaves the state unchanged', () => {
    const state = emptyState();
    evolve(state, decisionOf(created()));
    const broken = { aggregate: 'user', aggregateId: 'usr_1', version: 1, type: 'user.added', data: {} };
    expect(() => evolve(state, decisionOf(planChanged(2, 'scale'), broken))).toThrow(/email/);
    expect(state.organisations.get('org_1')?.planId).toBe('free');
    expect(versionOf(state, 'organisation', 'org_1')).toBe(1);
  });

  test('an unknown kind from a newer release counts as a version and is skipped', () => {
    const state = emptyState();
    evolve(state, decisionOf(created()));
    const renamed = { ...planChanged(2, 'x'), type: 'organisation.renamed', data: { name: 'New' } };
    expect(evolve(state, decisionOf(renamed))).toBe(true);
    expect(state.organisations.get('org_1')?.name).toBe('Shop');
    expect(evolve(state, decisionOf(planChanged(3, 'scale')))).toBe(true);
  });

  test('a standalone event is marked as such: an unknown one invalidates no decision', () => {
    const state = emptyState();
    evolve(state, decisionOf(created()));
    const noted = { aggregate: 'note', aggregateId: 'n', version: 0, type: 'note.made', data: {} };
    expect(evolve(state, decisionOf(noted, planChanged(2, 'scale')))).toBe(true);
    expect(evolve(state, decisionOf(noted, planChanged(3, 'basic')))).toBe(true);
    expect(state.organisations.get('org_1')?.planId).toBe('basic');
    expect([...state.versions.keys()]).toEqual(['organisation/org_1']);
  });

  test('every standalone kind is written without a version', () => {
    const decider = createDecider();
    const organisationId = decider.do({ type: 'createOrganisation', name: 'Shop' }).id;
    const { website } = decider.do({ type: 'createWebsite', organisationId, domain: 'shop.example' });
    const websiteId = website.id;
    const entry = { title: 't', date: '2026-11-21', createdBy: 'k' };
    const commands: Command[] = [
      { type: 'recordSiteEvent', websiteId, ...entry },
      { type: 'deleteSiteEvent', websiteId, eventId: 'sev_1' },
      { type: 'acknowledgeAlert', websiteId, alertId: 'a' },
      {
        type: 'startCheckout',
        organisationId,
        customerId: 'cus_1',
        planId: 'starter',
        interval: 'monthly',
        switched: false,
      },
    ];
    const lone = new Set([
      'site_event.recorded',
      'site_event.deleted',
      'alert.acknowledged',
      'checkout.started',
    ]);
    const written = commands.flatMap((command) => {
      const generated = { id: 'd', keyId: 'k', secret: 's' };
      const result = decide(decider.state, command, { now: decider.now, generated });
      return 'events' in result ? result.events.filter(({ type }) => lone.has(type)) : [];
    });
    expect(written.map(({ version }) => version)).toEqual(written.map(() => 0));
    expect(new Set(written.map(({ type }) => type))).toEqual(lone);
  });

  test('a standalone event is always valid, and leaves no trace', () => {
    const state = emptyState();
    const acknowledged = {
      aggregate: 'alert',
      aggregateId: 'a#1',
      version: 0,
      type: 'alert.acknowledged',
      data: { websiteId: 'web_1' },
    };
    expect(evolve(state, decisionOf(acknowledged))).toBe(true);
    expect(evolve(state, decisionOf(acknowledged))).toBe(true);
    expect(state.versions.size).toBe(0);
    // It is dropped with an invalid decision.
    evolve(state, decisionOf(created()));
    expect(evolve(state, decisionOf(acknowledged, created()))).toBe(false);
  });

  test('no two kinds share a name', () => {
    expect(new Set(eventKinds.map(({ type }) => type)).size).toBe(eventKinds.length);
  });
});
