import { expect, test } from 'vitest';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { pathExplorer } from './path-explorer.js';

const scope = { websiteId: 'shop', window: { start: 0, end: 86_400_000 }, filters: {}, lateVerdicts: [] };

test.each(['__proto__', 'constructor', 'toString'])(
  'a crawler called %s is counted like any other',
  async (name) => {
    const none = { status_1xx: 0, status_2xx: 3, status_3xx: 0, status_4xx: 0, status_5xx: 0 };
    const timed = { timed_requests: 0, time_taken_ms: 0, last_seen: 0 };
    const reader = {
      read: async ({ name: statement }: { name: string }) =>
        statement === 'path_explorer.places'
          ? [{ place: 'path', name: '/', requests: 3, ...none, ...timed }]
          : [{ list: 0, path: '/', bot_name: name, requests: 3 }],
    } as unknown as ClickHouseReader;
    const answer = await pathExplorer.read(reader, scope, { bot: name, params_filter: 'all', limit: 5 });
    expect(
      JSON.parse(JSON.stringify(answer)).paths.map(({ bots }: { bots: object }) => Object.entries(bots)),
    ).toEqual([[[name, 3]]]);
  },
);
