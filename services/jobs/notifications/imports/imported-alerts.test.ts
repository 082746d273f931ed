import { describe, expect, test, vi } from 'vitest';
import type { Alert } from '../../../../shared/alerts/alert.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations.js';
import { alertWith, audienceWith, importedAlert, NOON } from '../../../../test/harness/jobs/alert.js';
import { useProcesses } from '../../../../test/harness/jobs/notifications-processes.js';
import {
  createWorld,
  fire,
  mortal,
  type Receiver,
  settle,
  type World,
} from '../../../../test/harness/jobs/notifications-world.js';
import type { ImportContent } from '../messages/content.js';

const { start, stop } = useProcesses();

/** Alerts of the past days, found now. */
const imports = (count: number, given: Partial<Alert> = {}) =>
  Array.from({ length: count }, (_, index) =>
    importedAlert(Date.now(), { type: 'scraper', subject: `192.0.2.${index}`, ...given }),
  );

/** Records what each receiver takes. @returns its target with the alert, or with the number of alerts */
function noting() {
  const taken: [channel: string, what: string | number][] = [];
  const receive: Receiver = async ({ channel, content }) => {
    const { alert, count } = JSON.parse(content);
    taken.push([channel, alert === undefined ? count : alert.type]);
    return { status: 'sent' };
  };
  return { taken, receive };
}

const statusesOf = ({ rows }: World) => [...new Set([...rows.values()].map(({ status }) => status))];

describe('alerts of imported logs', () => {
  test('are one message to each receiver, even if they arrive over many minutes', async () => {
    const world = createWorld(audienceWith());
    const { taken, receive } = noting();
    await start(world, { receive });
    const all = imports(40);
    for (let at = 0; at < all.length; at += 5) {
      await fire(world, ...all.slice(at, at + 5));
      await settle(8 * MINUTE_MS);
    }
    expect(taken).toEqual([]);
    await settle(5 * MINUTE_MS);
    expect(taken.toSorted()).toEqual([
      ['email', 40],
      ['email', 40],
      ['webhook', 40],
    ]);
    await settle(DAY_MS);
    expect(taken).toHaveLength(3);
    expect(statusesOf(world)).toEqual(['sent']);
  });

  test('delay no live alert, and live alerts do not delay them', async () => {
    const world = createWorld(audienceWith({}, { userIds: ['usr_1'] }));
    const { taken, receive } = noting();
    await start(world, { receive });
    const alike = imports(1, { type: 'latency_spike', subject: '', createdAt: NOON - 3 * HOUR_MS });
    await fire(world, ...imports(9), ...alike, alertWith(), alertWith({ type: 'latency_spike' }));
    await settle(MINUTE_MS);
    expect(taken.toSorted()).toEqual([
      ['email', 'error_spike_5xx'],
      ['email', 'latency_spike'],
      ['webhook', 'error_spike_5xx'],
      ['webhook', 'latency_spike'],
    ]);
    for (let minute = 0; minute < 12; minute += 3) {
      await fire(world, alertWith({ type: 'new_bot', subject: `${minute}`, createdAt: Date.now() }));
      await settle(3 * MINUTE_MS);
    }
    expect(taken.filter(([, what]) => what === 10)).toHaveLength(2);
    expect(taken.filter(([, what]) => what === 'new_bot')).toHaveLength(8);
  });

  test('of two days are two summaries, and reading records of the first again changes nothing', async () => {
    const world = createWorld(audienceWith({}, { userIds: [] }));
    const { taken, receive } = noting();
    const first = await start(world, { receive });
    const ofFirst = imports(7);
    await fire(world, ...ofFirst);
    await settle(23 * HOUR_MS);
    await stop(first);
    await start(world, { receive });
    await fire(world, ...ofFirst, ...imports(4, { type: 'hacking_probe' }));
    await settle(HOUR_MS);
    expect(taken).toEqual([
      ['webhook', 7],
      ['webhook', 4],
    ]);
  });

  test('are counted by incident, and alerts found more than a day ago send nothing', async () => {
    const world = createWorld(audienceWith({}, { userIds: [] }));
    const { taken, receive } = noting();
    const old = imports(3, { type: 'hacking_probe' });
    await settle(26 * HOUR_MS);
    const createdAt = NOON - 5 * DAY_MS;
    const repeats = [0, 3, 6].map((hours) =>
      importedAlert(Date.now(), { type: 'error_rate', createdAt: createdAt + hours * HOUR_MS }),
    );
    await fire(world, ...old, ...repeats);
    await start(world, { receive });
    await settle(HOUR_MS);
    expect(taken).toEqual([['webhook', 1]]);
  });

  test('follow the settings at the time of the summary', async () => {
    const world = createWorld(audienceWith({}, { userIds: ['usr_1'] }));
    const { taken, receive } = noting();
    await start(world, { receive });
    const critical = imports(2, { type: 'crawler_blocked', severity: 'critical' });
    await fire(world, ...imports(5), ...critical, ...imports(3, { type: 'new_bot', severity: 'critical' }));
    await settle(MINUTE_MS);
    const settings = { min_email_severity: 3, email_disabled_types: ['new_bot' as const] };
    world.audiences.set('web_1', audienceWith(settings, { userIds: ['usr_1'] }));
    await settle(15 * MINUTE_MS);
    expect(taken.toSorted()).toEqual([
      ['email', 2],
      ['webhook', 10],
    ]);
    world.audiences.set('web_1', audienceWith({ alerts_enabled: false }));
    await fire(world, ...imports(5, { type: 'undeclared_agent' }));
    await settle(15 * MINUTE_MS);
    expect(taken).toHaveLength(2);
    expect(statusesOf(world)).toEqual(['sent']);
  });

  test('of an unreadable website do not delay another website’s', async () => {
    const other = audienceWith({}, { websiteId: 'web_other', userIds: [] });
    const world = createWorld(audienceWith({}, { userIds: [] }), other);
    let isBroken = true;
    const summarised: string[] = [];
    const receive: Receiver = async ({ websiteId }) => {
      summarised.push(websiteId);
      return { status: 'sent' };
    };
    const readWaiting = (websiteId: string) => {
      if (isBroken && websiteId === 'web_1') throw new Error('a row that nobody can read');
    };
    await start(world, { receive, readWaiting });
    await fire(world, ...imports(2), ...imports(2, { websiteId: 'web_other' }));
    await settle(15 * MINUTE_MS);
    expect(summarised).toEqual(['web_other']);
    isBroken = false;
    await settle(2 * MINUTE_MS);
    expect(summarised).toEqual(['web_other', 'web_1']);
  });
});

describe('a process that is killed between any two steps', () => {
  const MOST_STEPS = 120;
  const alertsOf = 6;

  /** An import in two parts. @returns the received messages and the step at which the process died; null: it ran to its end */
  async function runKilled(step: number, moment: 'before' | 'after') {
    vi.setSystemTime(NOON);
    const world = createWorld(audienceWith({}, { userIds: ['usr_1'] }));
    const counts: number[] = [];
    const receive: Receiver = async ({ content }) => {
      counts.push((JSON.parse(content) as ImportContent).count);
      return { status: 'sent' };
    };
    const [one, ...others] = imports(alertsOf);
    await fire(world, one!);
    const life = mortal(step, moment);
    const first = await start(world, { life, receive });
    await settle(2 * MINUTE_MS);
    await fire(world, ...others);
    await settle(13 * MINUTE_MS);
    await stop(first);
    const unrecorded = world.received.filter((id) => world.rows.get(id)!.status !== 'sent').length;
    const second = await start(world, { receive });
    await settle(HOUR_MS);
    await stop(second);
    return { diedAt: life.diedAt, counts, unrecorded, statuses: statusesOf(world) };
  }

  test('sends one message to each receiver, and sends it twice only if it died between sending and recording', async () => {
    const deaths = new Set<string>();
    for (const moment of ['before', 'after'] as const)
      for (let step = 0; step <= MOST_STEPS; step++) {
        const { diedAt, counts, statuses, unrecorded } = await runKilled(step, moment);
        if (diedAt === null) break;
        deaths.add(diedAt);
        const expected = Array.from({ length: 2 + unrecorded }, () => alertsOf);
        expect([diedAt, step, counts]).toEqual([diedAt, step, expected]);
        expect([diedAt, step, statuses]).toEqual([diedAt, step, ['sent']]);
      }
    const steps = [
      'readTraces',
      'queue',
      'commit',
      'readImporting',
      'readWaiting',
      'recordAll',
      'readSummarised',
    ];
    for (const name of [...steps, 'send', 'record'])
      for (const moment of ['before', 'after']) expect([...deaths]).toContain(`${moment} ${name}`);
  }, 400_000);
});
