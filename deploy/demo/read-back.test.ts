import { describe, expect, it } from 'vitest';
import { nextSteps } from './next-steps.js';
import { countVisible, waitUntilVisible } from './read-back.js';
import { demoIncidents, demoWindow } from './traffic/demo-traffic.js';

const api = { baseUrl: 'http://api.test', websiteId: 'web_1', apiKey: 'llapi_1' };
const demo = { days: 7, end: Date.parse('2026-11-21T08:20:30.250Z') };
const window = demoWindow(demo);

describe('reading back', () => {
  it('queries the summary for exactly the demo’s window, with the API key', async () => {
    const asked: unknown[] = [];
    const count = await countVisible(api, window, async (url, init) => {
      asked.push(String(url), new Headers(init?.headers).get('authorization'));
      return Response.json({ total_requests: 12 });
    });
    expect(count).toBe(12);
    expect(asked).toEqual([
      'http://api.test/public/v1/websites/web_1/summary?start=2026-11-14T08:20:29.250Z&end=2026-11-21T08:20:31.250Z',
      'Bearer llapi_1',
    ]);
  });

  it('waits until the count is reached', async () => {
    let visible = 0;
    const options = {
      fetch: async () => {
        visible += 40;
        return Response.json({ total_requests: visible });
      },
      sleep: async () => undefined,
      now: () => 0,
      timeoutMs: 1_000,
    };
    expect(await waitUntilVisible(api, window, 100, options)).toBe(true);
    expect(visible).toBe(120);
  });

  it('stops at its timeout, also if the API returns errors', async () => {
    let time = 0;
    const options = {
      fetch: async () => new Response('busy', { status: 503 }),
      sleep: async (ms: number) => {
        time += ms;
      },
      now: () => time,
      timeoutMs: 3_000,
    };
    expect(await waitUntilVisible(api, window, 1, options)).toBe(false);
    expect(time).toBe(3_000);
  });
});

describe('the list of next steps', () => {
  const text = nextSteps(api, {
    window,
    credentials: '/data/credentials.json',
    incidents: demoIncidents(demo),
  });

  it('has commands with the real address and website, and the key as a variable', () => {
    const commands = text.split('\n').filter((line) => line.startsWith('curl '));
    expect(commands.length).toBeGreaterThan(9);
    for (const command of commands) {
      expect(command).toMatch(
        /^curl -s -H "Authorization: Bearer \$LOGLANE_KEY" 'http:\/\/api\.test\/public\/v1\/websites\/web_1\/[^' ]+'$/,
      );
    }
    expect(text).toContain('/summary?hours=168');
    expect(text).not.toContain('llapi_1');
    expect(text).toContain("'/data/credentials.json'");
  });

  it('includes every finding: disallowed, uncrawled, broken and wasteful pages, agents and unknown bots', () => {
    for (const path of [
      '/seo/robots?hours=168',
      '/seo/sitemap?status=stale',
      '/seo/status-consistency?',
      '/seo/url-patterns?',
      '/bots/unknown?',
      '/ai-landing?',
      '/summary?',
    ])
      expect(text).toContain(`/websites/web_1${path}`);
  });

  it('includes the outage, with an hour before and after it', () => {
    expect(text).toContain('/status-codes?start=2026-11-18T13:00Z&end=2026-11-18T16:00Z');
  });
});
