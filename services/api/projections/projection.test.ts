import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { alertAcknowledged } from '../../../shared/control/aggregates/alert.js';
import { automaticSiteEvent } from '../../../shared/control/aggregates/site-event.js';
import type { Decision } from '../../../shared/control/domain/event.js';
import type { ClickHouseWriter, InsertOptions } from '../../../shared/store/client.js';
import { projectedTables } from './open-projection.js';
import { createProjection } from './projection.js';

/** A store that can be unavailable, and records its inserts. */
function createStore() {
  const inserts: InsertOptions[] = [];
  let away = false;
  const writer: ClickHouseWriter = {
    async insert(options) {
      if (away) throw new Error('away');
      inserts.push(options);
    },
    command: () => Promise.reject(new Error('unused')),
  };
  return {
    writer,
    inserts,
    go(state: 'away' | 'back') {
      away = state === 'away';
    },
    rows: (table: string) =>
      inserts
        .filter((insert) => insert.table === table)
        .flatMap(({ rows }) => rows.toString().split('\n').slice(0, -1))
        .map((line) => JSON.parse(line)),
  };
}

function open(store = createStore()) {
  const logger = pino({ level: 'silent' });
  const projection = createProjection({
    clickhouse: store.writer,
    tables: projectedTables,
    logger,
    retryMs: 5,
  });
  return { store, projection };
}

const at = '2026-11-21T12:00:00.000Z';

function decisionOf(id: string, title: string): Decision {
  const entry = {
    organisationId: 'org_1',
    websiteId: null,
    title,
    createdBy: 'CI (…abcd)',
    description: null,
  };
  return { id, at, by: 'admin', events: [automaticSiteEvent(id, entry, Date.parse(at))] };
}

function acknowledged(alertId: string): Decision {
  const { aggregate, type } = alertAcknowledged;
  const event = { aggregate, aggregateId: alertId, version: 1, type, data: { websiteId: 'web_1' } };
  return { id: alertId, at, by: 'admin', events: [event] };
}

describe('a projection', () => {
  test('stores waiting rows in log order, each table independently', async () => {
    const { store, projection } = open();
    projection.onApplied(decisionOf('a', 'First'), 3);
    projection.onApplied(acknowledged('alert#1'), 4);
    projection.onApplied(decisionOf('b', 'Second'), 9);
    await projection.flushed();
    expect(store.rows('site_events')).toMatchObject([
      { title: 'First', log_offset: 3 },
      { title: 'Second', log_offset: 9 },
    ]);
    expect(store.rows('alert_acknowledgements')).toEqual([
      {
        ...{ website_id: 'web_1', alert_id: 'alert#1', acknowledged_at: '2026-11-21 12:00:00.000' },
        ...{ acknowledged_by: 'admin', log_offset: 4 },
      },
    ]);
  });

  test('has a value for each column in each row, for any text', async () => {
    const { store, projection } = open();
    projection.onApplied(decisionOf('a', 'Tab\there, line\nthere, back\\slash, \0 half \ud83d'), 0);
    await projection.flushed();
    const [insert] = store.inserts;
    const [row] = store.rows('site_events');
    expect(Object.keys(row)).toEqual(insert!.columns);
    expect(row.title).toBe('Tab\there, line\nthere, back\\slash, \0 half \ufffd');
  });

  test('stores an entry with any title, and leaves out the erased one', async () => {
    const { store, projection } = open();
    for (const [index, change] of [{}, { createdBy: '[erased]' }, { erased: true }].entries()) {
      const decision = decisionOf(`s${index}`, '[erased]');
      const [event] = decision.events;
      const changed = { ...event!, data: { ...(event!.data as object), ...change } };
      projection.onApplied({ ...decision, events: [changed] }, index);
    }
    await projection.flushed();
    expect(store.rows('site_events').map(({ log_offset }) => log_offset)).toEqual([0, 1]);
  });

  test('continues when the store is back, with nothing lost and nothing out of order', async () => {
    const { store, projection } = open();
    store.go('away');
    for (let offset = 0; offset < 50; offset++) projection.onApplied(decisionOf(`e${offset}`, 't'), offset);
    await new Promise((turn) => setTimeout(turn, 20));
    expect(store.inserts).toHaveLength(0);
    store.go('back');
    await projection.flushed();
    expect(store.rows('site_events').map(({ log_offset }) => log_offset)).toEqual(
      Array.from({ length: 50 }, (_, offset) => offset),
    );
  });

  test('stops at once if the store is unavailable, otherwise after a last write', async () => {
    const gone = open();
    gone.store.go('away');
    gone.projection.onApplied(decisionOf('a', 't'), 0);
    await gone.projection.stop();
    expect(gone.store.inserts).toHaveLength(0);
    const there = open();
    there.projection.onApplied(decisionOf('a', 't'), 0);
    await there.projection.stop();
    expect(there.store.rows('site_events')).toHaveLength(1);
  });

  test('names each insert by its content, so that a repeat is recognised', async () => {
    const tokens = await Promise.all(
      [1, 2].map(async () => {
        const { store, projection } = open();
        projection.onApplied(decisionOf('a', 't'), 7);
        await projection.flushed();
        return store.inserts[0]!.deduplicationToken;
      }),
    );
    expect(tokens[0]).toBe(tokens[1]);
  });
});
