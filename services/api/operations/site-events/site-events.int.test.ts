import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertAlert } from '../../../../test/harness/alerts.js';
import { createTestApi, type RequestOptions, type TestApi } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { granted, openTestPlane } from '../../../../test/harness/control-plane.js';
import { projectedTables } from '../../projections/open-projection.js';
import { createProjection } from '../../projections/projection.js';

/** The timeline of a website: entries made by hand, and those of every write through the API. */

let engine: TestClickHouse;
let test: TestApi;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());
beforeEach(async () => {
  test = await createTestApi({ clickhouse: engine.clickhouse });
});

type Event = Record<string, string | null>;

const call = (method: string, path: string, body?: unknown, options: RequestOptions = {}) =>
  test.read(path, { method, ...(body === undefined ? {} : { body }), ...options });

async function timeline(query = '', options: RequestOptions = {}): Promise<Event[]> {
  await test.options.services.waitForProjections();
  return (await test.read(`/site-events${query}`, options)).body.events;
}
const titles = (events: Event[]) => events.map(({ title }) => title);

describe('an entry', () => {
  it('is returned, listed and deleted, and its deletion has an entry', async () => {
    const sent = {
      title: '  Relaunch\tof the shop  ',
      date: '2026-11-20',
      time: '09:30',
      category: 'release',
      description: 'Line one\nline two \\ "quoted" \u00e9 \ud83d\ude80',
    };
    const { status, body } = await call('POST', '/site-events', sent);
    expect(status).toBe(200);
    expect(body.event).toEqual({
      ...sent,
      title: 'Relaunch\tof the shop',
      website_id: test.website.id,
      event_id: expect.stringMatching(/^sev_/),
      created_by: expect.stringMatching(/^API key \(….{4}\)$/),
      created_at: '2026-11-21T12:00:00.001Z',
      updated_at: '2026-11-21T12:00:00.001Z',
    });
    expect(await timeline()).toEqual([body.event]);

    const gone = await call('DELETE', `/site-events/${body.event.event_id}`);
    expect(gone.body).toEqual({ deleted: body.event.event_id });
    expect(titles(await timeline())).toEqual(['Site event "Relaunch\tof the shop" deleted']);
    expect((await call('DELETE', `/site-events/${body.event.event_id}`)).status).toBe(404);
  });

  it('needs a title and a day; the rest may be absent', async () => {
    const { body } = await call('POST', '/site-events', { title: 'x', date: '2026-11-20' });
    expect(body.event).toMatchObject({ time: null, category: null, description: null });
  });

  it.each(['1970-01-01', '2026-02-28', '2149-06-06'])('of %s keeps its day', async (date) => {
    await call('POST', '/site-events', { title: date, date });
    expect(await timeline()).toMatchObject([{ title: date, date }]);
  });

  it.each(['1969-12-31', '2149-06-07', '9999-12-31', '0001-01-01'])(
    'of %s, which the columns can not store, is refused with name and bounds, also in a list',
    async (date) => {
      const detail = 'date from 1970-01-01 to 2149-06-06';
      const { status, body } = await call('POST', '/site-events', { title: 'x', date });
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain(detail);
      const list = await test.read(`/site-events?start_date=${date}&end_date=${date}`);
      expect(list.status).toBe(400);
      expect(JSON.stringify(list.body)).toContain(detail);
      expect(await timeline()).toEqual([]);
    },
  );

  it("of another organisation's website is neither seen nor deleted", async () => {
    const { body } = await call('POST', '/site-events', { title: 'Ours', date: '2026-11-20' });
    const theirs = `/public/v1/websites/${test.foreignWebsite.id}/site-events`;
    expect((await test.request(theirs, { key: test.keys.foreign })).body.events).toEqual([]);
    const attempt = await test.request(`${theirs}/${body.event.event_id}`, {
      key: test.keys.foreign,
      method: 'DELETE',
    });
    expect(attempt.status).toBe(404);
    expect(titles(await timeline())).toEqual(['Ours']);
  });
});

describe('the list', () => {
  it('is newest first by day and time, and narrowed by inclusive days', async () => {
    for (const [date, time] of [
      ['2026-11-18', '10:00'],
      ['2026-11-20', '08:00'],
      ['2026-11-19', null],
      ['2026-11-20', '17:00'],
    ])
      await call('POST', '/site-events', { title: `${date} ${time}`, date, time });
    const all = ['2026-11-20 17:00', '2026-11-20 08:00', '2026-11-19 null', '2026-11-18 10:00'];
    expect(titles(await timeline())).toEqual(all);
    expect(titles(await timeline('?start_date=2026-11-19&end_date=2026-11-20'))).toEqual(all.slice(0, 3));
    expect(titles(await timeline('?start_date=2026-11-19'))).toEqual(all);
    expect((await test.read('/site-events?start_date=2026-11-20&end_date=2026-11-19')).status).toBe(400);
  });

  it('needs Starter or above', async () => {
    const { organisationId } = test.website;
    granted(await test.control.execute({ type: 'setPlan', organisationId, planId: 'basic' }, 'admin'));
    expect((await test.read('/site-events')).status).toBe(403);
    granted(await test.control.execute({ type: 'setPlan', organisationId, planId: 'starter' }, 'admin'));
    expect((await test.read('/site-events')).status).toBe(200);
  });
});

describe('every write through the API', () => {
  const segment = { name: 'Blog', rules: [{ type: 'prefix', value: '/blog' }] };

  it('leaves one entry for an alert that is acknowledged twice', async () => {
    const { alertId } = await insertAlert(engine.clickhouse, { websiteId: test.website.id });
    for (let time = 1; time <= 3; time += 1) {
      const { status, body } = await call('POST', `/alerts/${encodeURIComponent(alertId)}/acknowledge`);
      expect([status, body]).toEqual([200, { alert_id: alertId, acknowledged: true }]);
    }
    expect(titles(await timeline())).toHaveLength(1);
  });

  it('leaves an entry with the key and the change', async () => {
    const { organisationId } = test.website;
    const { clearText: key, apiKey } = granted(
      await test.control.execute(
        { type: 'createApiKey', organisationId, name: 'Deploy pipeline', scope: 'read_write' },
        'admin',
      ),
    );
    const as = { key };
    const alertId = '2026-11-21T09:00:00.000Z#4f2a9c';
    await insertAlert(engine.clickhouse, { websiteId: test.website.id, alertId });
    const made = await call('POST', '/segments', segment, as);
    const at = `/segments/${made.body.segment.segment_id}`;
    const writes = [
      made,
      await call('PUT', at, { ...segment, name: 'News' }, as),
      await call('PATCH', at, segment, as),
      await call('DELETE', at, undefined, as),
      await call('POST', '/segments/library', {}, as),
      await call('POST', '/bots/googlebot/suppress', { days: 7 }, as),
      await call('DELETE', '/bots/Googlebot/suppress', undefined, as),
      await call('POST', '/recommendations/resolve', { key: '404:/old' }, as),
      await call('DELETE', `/recommendations/resolve/${encodeURIComponent('404:/old')}`, undefined, as),
      await call('POST', `/alerts/${encodeURIComponent(alertId)}/acknowledge`, undefined, as),
    ];
    expect(writes.map(({ status }) => status)).toEqual(writes.map(() => 200));
    const events = await timeline();
    expect(new Set(titles(events))).toEqual(
      new Set([
        'Segment "Blog" created',
        'Segment "News" changed',
        'Segment "Blog" changed',
        'Segment "Blog" deleted',
        'Segment library added',
        'SEO-error alerts of Googlebot suppressed for 7 days',
        'Suppression of Googlebot ended',
        'Recommendation 404:/old resolved',
        'Recommendation 404:/old reopened',
        'Alert acknowledged: More requests than usual are answered with errors',
      ]),
    );
    for (const event of events) {
      expect(event).toMatchObject({
        created_by: `Deploy pipeline (…${apiKey.last4})`,
        category: 'api',
        date: '2026-11-21',
        time: '12:00',
        website_id: test.website.id,
      });
    }
  });

  it('that concerns the organisation is on the timeline of all its websites; a new website has only its own entry', async () => {
    const free = { key: test.keys.free };
    const id = test.freeWebsite.id;
    await test.request('/public/v1/billing/trial', { method: 'POST', body: { plan_id: 'scale' }, ...free });
    const added = await test.request('/public/v1/websites', {
      method: 'POST',
      body: { domain: 'second.example' },
      ...free,
    });
    await test.options.services.waitForProjections();
    const of = async (website: string) =>
      titles((await test.request(`/public/v1/websites/${website}/site-events`, free)).body.events);
    expect(await of(id)).toEqual(['Trial of the scale plan started']);
    expect((await of(added.body.website_id)).sort()).toEqual([
      'Trial of the scale plan started',
      'Website second.example created',
    ]);
    expect(await timeline()).toEqual([]);
  });

  it('that changes nothing or is refused leaves no entry', async () => {
    await call('DELETE', '/bots/Googlebot/suppress');
    await call('DELETE', '/recommendations/resolve/404%3A%2Fnever');
    await call('POST', '/segments', { ...segment, parent_id: 'seg_none' });
    await call('POST', '/segments', segment, { key: test.keys.read });
    expect(await timeline()).toEqual([]);
  });

  it('leaves an entry that can not be deleted', async () => {
    await call('POST', '/segments', segment);
    const [event] = await timeline();
    const attempt = await call('DELETE', `/site-events/${event!.event_id}`);
    expect(attempt.status).toBe(409);
    expect(await timeline()).toEqual([event]);
  });
});

it('an emptied table is filled again from the log, each entry once', async () => {
  for (const title of ['One', 'Two', 'Three'])
    await call('POST', '/site-events', { title, date: '2026-11-20' });
  const { events } = (await test.read('/site-events')).body;
  await call('DELETE', `/site-events/${events.at(-1).event_id}`);
  const before = await timeline();
  expect(before).toHaveLength(3);
  await engine.clickhouse.command('TRUNCATE TABLE site_events');
  expect(await timeline()).toEqual([]);
  const { clickhouse } = engine;
  const projection = createProjection({
    clickhouse,
    tables: projectedTables,
    logger: test.options.logger,
  });
  await openTestPlane({ log: test.controlLog, onApplied: projection.onApplied });
  await projection.flushed();
  expect(await timeline()).toEqual(before);
});
