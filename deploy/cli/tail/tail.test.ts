import { describe, expect, it } from 'vitest';
import { answering, runCommandLine } from '../../../test/harness/command-line.js';
import { createFollower } from './follow-requests.js';
import { pauseAfter } from './pace.js';

const env = { LOGLANE_URL: 'http://loglane.test', LOGLANE_KEY: 'llapi_x', LOGLANE_WEBSITE: 'w1' };
const at = (second: number, path = `/${second}`) => ({
  timestamp: `2026-11-21T12:00:${String(second).padStart(2, '0')}.000Z`,
  path,
  status: 200,
});

describe('new rows', () => {
  /** Polls of a feed that grows; pages have three rows. */
  function feed() {
    const stored: ReturnType<typeof at>[] = [];
    let reads = 0;
    const poll = createFollower(async (cursor) => {
      reads++;
      const from = cursor === null ? 0 : Number(cursor);
      const sorted = [...stored].sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
      const rows = sorted.slice(from, from + 3);
      return { rows, next: from + 3 < sorted.length ? String(from + 3) : null };
    });
    const paths = async () => (await poll()).fresh.map(({ path }) => path);
    return { stored, poll, paths, reads: () => reads };
  }

  it('are printed once, the oldest first, also where two requests are equal', async () => {
    const { stored, paths } = feed();
    stored.push(at(1));
    expect(await paths()).toEqual(['/1']);
    expect(await paths()).toEqual([]);
    stored.push(at(1), at(2));
    expect(await paths()).toEqual(['/1', '/2']);
    expect(await paths()).toEqual([]);
  });

  it('that are late or come in bursts are found', async () => {
    const { stored, paths } = feed();
    stored.push(at(10), at(20), at(30));
    await paths();
    stored.push(at(25, '/late'));
    expect(await paths()).toEqual(['/late']);
    stored.push(at(31), at(32), at(33), at(34), at(35));
    expect(await paths()).toEqual(['/31', '/32', '/33', '/34', '/35']);
    expect(await paths()).toEqual([]);
  });

  it('that are more than a poll reads are reported as skipped', async () => {
    const { stored, poll } = feed();
    stored.push(at(1));
    await poll();
    for (let second = 2; second < 30; second++) stored.push(at(second));
    expect(await poll()).toMatchObject({ skipped: true, fresh: { length: 12 } });
    expect(await poll()).toEqual({ skipped: false, fresh: [] });
  });
});

it('polls slow down while calls are left, so that the limit of the hour is not reached', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const pause = (remaining: number) =>
    pauseAfter(
      new Headers({
        'x-ratelimit-limit': '2000',
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': '2026-11-21T12:30:00Z',
      }),
      now,
    );
  expect(pause(1_900)).toBe(1_000);
  expect(pause(400)).toBe(6_000);
  expect(pause(0)).toBe(60_000);
  expect(pauseAfter(new Headers(), now)).toBe(1_000);
});

describe('loglane tail', () => {
  it('prints NDJSON into a pipe, and asks for the filtered requests only', async () => {
    let polls = 0;
    const { fetch, calls } = answering(() => {
      const rows = polls++ === 0 ? [at(2), at(1)] : [at(3), at(2), at(1)];
      return Response.json({ requests: rows, next_cursor: null });
    });
    const words = ['tail', '--bot', 'Googlebot', '--status', '5xx', '--path', '/a', '--ip', '192.0.2.1'];
    const { stdout, code } = await runCommandLine(
      [...words, '--country', 'DE', '--who', 'bots', '--lines', '1', '--limit', '2'],
      { env, fetch },
    );
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).path),
    ).toEqual(['/2', '/3']);
    expect(Object.fromEntries(calls[0]!.url.searchParams)).toEqual({
      ...{ bot: 'Googlebot', is_bot: 'true', path: '/a', client_ip: '192.0.2.1', country: 'DE' },
      ...{ status_category: '5xx', hours: '1', limit: '500' },
    });
  });

  it('filters crawlers of assistants and prints clean lines on a terminal', async () => {
    const { fetch } = answering(() =>
      Response.json({
        requests: [
          {
            ...at(2, '/\u001b[2Jx'),
            method: 'GET',
            bot_category: 'ai',
            bot_name: 'GPTBot',
            bot_verified: true,
            client_ip: '192.0.2.1',
          },
          { ...at(1), method: 'GET', bot_category: 'search' },
        ],
        next_cursor: null,
      }),
    );
    const words = ['tail', '--who', 'ai', '--limit', '1', '--no-color'];
    const { stdout } = await runCommandLine(words, { env, fetch, isTerminal: true });
    expect(stdout).toBe('12:00:02  200  GET  /x  192.0.2.1 GPTBot ✓\n');
  });

  it('waits out a failure that passes, and ends with one that does not', async () => {
    let calls = 0;
    const { fetch } = answering(() => {
      calls++;
      if (calls === 1)
        return Response.json({ detail: 'Limit.' }, { status: 429, headers: { 'retry-after': '9' } });
      if (calls === 2) return Response.json({ requests: [at(1)], next_cursor: null });
      return Response.json({ detail: 'Gone.' }, { status: 401 });
    });
    const waits: number[] = [];
    const { code, stderr, stdout } = await runCommandLine(['tail'], {
      env,
      fetch,
      sleep: async (milliseconds) => {
        waits.push(milliseconds);
      },
    });
    expect([code, stdout.includes('/1')]).toEqual([4, true]);
    expect(stderr).toContain('Limit.');
    expect(waits[0]).toBe(9_000);
  });
});
