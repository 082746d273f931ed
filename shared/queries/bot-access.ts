import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { botSource } from './bots.js';
import { merged } from './metrics.js';
import { type Rollup, rollupSource } from './rollup.js';
import type { Scope } from './scope.js';

/** Which bots were let in and which were turned away (spec §4.2 bots/access). */

/** The answers that turn a bot away (spec §4.2). */
export const rejectionStatuses = [401, 403, 429, 451] as const;

const rejected = `s.status IN (${rejectionStatuses.join(', ')})`;
const served = 's.status >= 200 AND s.status < 400';

const count = z.number();

const accessRow = z.object({
  bot_name: z.string(),
  bot_operator: z.string(),
  bot_category: z.string(),
  requests: count,
  served: count,
  served_verified: count,
  rejected: count,
  rejected_verified: count,
  rejected_spoofed: count,
  rejected_401: count,
  rejected_403: count,
  rejected_429: count,
  rejected_451: count,
});

export type BotAccessRow = z.infer<typeof accessRow>;

/** Most rejected requests first, then most requests, then by name. */
export function listBotAccess(
  reader: ClickHouseReader,
  scope: Scope,
  { limit }: { limit: number },
): Promise<BotAccessRow[]> {
  const source = botSource(
    scope,
    ['bot_name', 'bot_operator', 'bot_category', 'status'],
    ['requests', 'last_seen'],
  );
  const latest = (column: string) => `argMax(toString(s.${column}), s.last_seen)`;
  const byStatus = rejectionStatuses.map(
    (status) => `${merged('requests', `s.status = ${status}`)} AS rejected_${status}`,
  );
  return reader.read({
    name: 'bot_access.list',
    sql: `SELECT s.bot_name AS bot_name, ${latest('bot_operator')} AS bot_operator, ${latest('bot_category')} AS bot_category,
  ${merged('requests')} AS requests,
  ${merged('requests', served)} AS served,
  ${merged('requests', `${served} AND s.verification = 'verified'`)} AS served_verified,
  ${merged('requests', rejected)} AS rejected,
  ${merged('requests', `${rejected} AND s.verification = 'verified'`)} AS rejected_verified,
  ${merged('requests', `${rejected} AND s.verification = 'spoofed'`)} AS rejected_spoofed,
  ${byStatus.join(', ')}
FROM (${source.sql}) AS s
GROUP BY bot_name
ORDER BY rejected DESC, requests DESC, bot_name
LIMIT {limit: UInt32}`,
    params: { ...source.params, limit },
    row: accessRow,
  });
}

const rejectionsRollup: Rollup = {
  hourTable: 'bot_rejections_per_hour',
  filter: `r.is_bot AND r.status IN (${rejectionStatuses.join(', ')})`,
  dimensions: { bot_name: 'r.bot_name', path: 'r.path', status: 'r.status', country: 'r.country' },
  metrics: ['requests'],
};

const rejectedPathRow = z.object({
  bot_name: z.string(),
  path: z.string(),
  status: z.number(),
  requests: count,
});

export type RejectedPathRow = z.infer<typeof rejectedPathRow>;

/** Of each bot the paths on which it was turned away most, `perBot` of them; a path counts once for each status. */
export function listRejectedPaths(
  reader: ClickHouseReader,
  scope: Scope,
  { bots, perBot }: { bots: readonly string[]; perBot: number },
): Promise<RejectedPathRow[]> {
  const source = rollupSource(rejectionsRollup, scope, {
    dimensions: ['bot_name', 'path', 'status'],
    metrics: ['requests'],
    where: { sql: 'bot_name IN {bots: Array(String)}', params: { bots } },
  });
  return reader.read({
    name: 'bot_access.rejected_paths',
    sql: `SELECT s.bot_name AS bot_name, s.path AS path, s.status AS status, ${merged('requests')} AS requests
FROM (${source.sql}) AS s
GROUP BY bot_name, path, status
ORDER BY bot_name, requests DESC, path, status
LIMIT {per_bot: UInt32} BY bot_name`,
    params: { ...source.params, per_bot: perBot },
    row: rejectedPathRow,
  });
}
