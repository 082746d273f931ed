import { z } from '@hono/zod-openapi';
import { answer } from '../../../../shared/reads/answer/answer.js';
import {
  averageTimeMs,
  avgTimeMs,
  bytesSent,
  count,
  deltaPct,
  fieldsOf,
  percentOf,
  previousRequests,
  requestCount,
  sharePct,
  statusClassCounts,
  statusClasses,
  toStatusClassCounts,
  trafficClassCounts,
} from '../../../../shared/reads/answer/figures.js';
import { instant, toInstant } from '../../../../shared/reads/answer/instant.js';
import { comparedWindow, compareWindows } from '../../../../shared/reads/answer/windows.js';
import { moveLate } from '../../../../shared/reads/bots/impostors.js';
import { hosts as hostsRollup } from '../../../../shared/reads/sql/read-tables.js';
import type { Scope } from '../../../../shared/reads/sql/scope.js';
import { selectList, selectTotal } from '../../../../shared/reads/sql/select.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { isOwnHost } from '../../../../shared/urls/path-of-address.js';

const host = z
  .object({
    host: z.string().openapi({
      description: 'In lower case, without a port; empty where the log names none.',
      example: 'www.example.com',
    }),
    is_own: z.boolean().openapi({
      description:
        "Whether it is the website's domain or a name below it. Clients can send any host name, and scanners do.",
    }),
    requests: requestCount,
    share_pct: sharePct,
    ...trafficClassCounts,
    verified_search_bot_requests: count('The search_bot_requests of verified crawlers.'),
    verified_ai_bot_requests: count('The ai_bot_requests of verified crawlers.'),
    ...statusClassCounts,
    bytes_sent: bytesSent,
    avg_time_ms: avgTimeMs,
    last_seen: instant.openapi({ description: 'Last request in the window.' }),
    previous_requests: previousRequests,
    delta_pct: deltaPct,
  })
  .openapi('Host');

const hostMetrics = [
  'requests',
  'human_requests',
  'search_bot_requests',
  'ai_bot_requests',
  'other_bot_requests',
  'spoofed_bot_requests',
  'undeclared_agent_requests',
  'late_search_bot_requests',
  'late_ai_bot_requests',
  'late_other_bot_requests',
  'verified_search_bot_requests',
  'verified_ai_bot_requests',
  ...statusClasses,
  'bytes_sent',
  'timed_requests',
  'time_taken_ms',
  'last_seen',
] as const;

export interface HostsInput {
  readonly limit: number;
  /** Domain of the website. */
  readonly domain: string;
}

export const hosts = answer({
  schema: z.object({
    ...comparedWindow,
    total_requests: count('All requests.'),
    unique_hosts: count('Distinct requested hosts; requests without a host count as one.'),
    unlisted_requests: count('Requests for hosts outside the list.'),
    hosts: z.array(host).openapi({ description: 'Most requests first.' }),
  }),
  from: [[hostsRollup]],
  async read(reader, scope, { limit, domain }: HostsInput) {
    // Clients invent hosts, so there may be very many; each costs one sum. Two statements are cheaper than one with grouping sets.
    const requests = { from: [hostsRollup], metrics: ['requests'] } as const;
    const [time, { requests: all, distinct_host }, list] = await Promise.all([
      compareWindows(reader, scope),
      selectTotal(reader, scope, { ...requests, name: 'hosts.total', distinct: ['host'] }),
      selectList(reader, scope, { ...requests, name: 'hosts.list', by: ['host'], limit }),
    ]);
    const listed = await readListed(
      reader,
      scope,
      list.map((row) => row.host),
    );
    return {
      ...time.windows,
      total_requests: all,
      unique_hosts: distinct_host,
      unlisted_requests: all - list.reduce((sum, row) => sum + row.requests, 0),
      hosts: listed.map((row) => {
        const late = {
          search_bot_requests: row.late_search_bot_requests,
          ai_bot_requests: row.late_ai_bot_requests,
          other_bot_requests: row.late_other_bot_requests,
        };
        return fieldsOf(host, {
          ...moveLate(row, late),
          is_own: isOwnHost(row.host, domain),
          share_pct: percentOf(row.requests, all),
          ...toStatusClassCounts(row),
          avg_time_ms: averageTimeMs(row),
          last_seen: toInstant(row.last_seen),
          delta_pct: time.change.pct(row.requests, row.previous_requests),
        });
      }),
    };
  },
});

/** Figures of these hosts only, most requests first. */
async function readListed(reader: ClickHouseReader, scope: Scope, hosts: readonly string[]) {
  if (hosts.length === 0) return [];
  const filters = { ...scope.filters, hosts };
  return selectList(
    reader,
    { ...scope, filters },
    {
      name: 'hosts.figures',
      from: [hostsRollup],
      by: ['host'],
      limit: hosts.length,
      foldedHere: true,
      metrics: hostMetrics,
      previous: ['requests'],
    },
  );
}
