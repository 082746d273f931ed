import { z } from '@hono/zod-openapi';
import type { TableAge } from '../../../../shared/crawlers/table-age.js';
import { instant, toInstant } from '../../../../shared/reads/answer/instant.js';
import type { DnsClaims } from './dns-claims.js';

const MOST_WAITING = 50;

/** State of the verification of crawlers' claims. */
export const claimVerification = z.object({
  reverse_dns: z.enum(['working', 'no_answer', 'unused']).openapi({
    description:
      'working: claims of the last 30 days were decided by reverse DNS. no_answer: such claims are waiting, and none was decided. unused: no request needs it.',
  }),
  unproved_requests: z.int().openapi({
    description: 'Requests of the last 30 days that claim to be a crawler and wait for reverse DNS.',
  }),
  unanswered_since: instant.nullable().openapi({
    description:
      'The last request whose claim reverse DNS decided, or else the first that waits for it, in the last 30 days; null if none waits.',
  }),
  waiting: z
    .array(
      z.object({
        bot_name: z.string().openapi({ example: 'Googlebot' }),
        outside_ranges: z.boolean().openapi({
          description:
            'The operator publishes its addresses, and these are outside them: suspicious until reverse DNS proves them.',
        }),
        requests: z.int().openapi({ description: 'Requests that wait for reverse DNS.' }),
        addresses: z.int().openapi({ description: 'Distinct addresses of these requests.' }),
        sample_ips: z.array(z.string()).openapi({ description: 'Some of the addresses.' }),
        since: instant.openapi({ description: 'The first of these requests in the last 30 days.' }),
      }),
    )
    .openapi({
      description: `Claims that wait for reverse DNS, by bot, at most ${MOST_WAITING}, most requests first.`,
    }),
  newest_list_days: z.int().openapi({
    description: 'Whole days since the address ranges of an operator were last downloaded.',
  }),
  oldest_list_days: z.int().openapi({ description: 'The same for the oldest list.' }),
  old_lists: z.array(z.string()).openapi({
    description:
      'Lists that are 30 days old or older. If the operator has no other method, an address outside such a list is `unverifiable`, never `spoofed`.',
  }),
  refused_lists: z.array(z.object({ list: z.string(), problem: z.string() })).openapi({
    description: 'Lists whose last download was refused, with the reason; the previous list stays in use.',
  }),
});

export function toClaimVerification(
  claims: DnsClaims,
  age: TableAge,
  publishesRanges: (family: string) => boolean,
): z.output<typeof claimVerification> {
  const sum = (field: 'unproved' | 'decided') => claims.reduce((total, row) => total + row[field], 0);
  const unproved = sum('unproved');
  const open = claims.filter((row) => row.unproved > 0);
  const decidedUntil = Math.max(0, ...claims.map(({ decided_until }) => decided_until));
  const since = decidedUntil > 0 ? decidedUntil : Math.min(...open.map(({ waiting_since }) => waiting_since));
  const waiting = unproved > 0 ? ('no_answer' as const) : ('unused' as const);
  return {
    reverse_dns: sum('decided') > 0 ? 'working' : waiting,
    unproved_requests: unproved,
    unanswered_since: open.length === 0 ? null : toInstant(since),
    waiting: open.slice(0, MOST_WAITING).map((row) => ({
      bot_name: row.bot_name,
      outside_ranges: publishesRanges(row.bot_family),
      requests: row.unproved,
      addresses: row.addresses,
      sample_ips: row.sample_ips,
      since: toInstant(row.waiting_since),
    })),
    newest_list_days: age.newest_list_days,
    oldest_list_days: age.oldest_list_days,
    old_lists: [...age.old_lists],
    refused_lists: age.refused_lists.map(({ feed, problem }) => ({ list: feed, problem })),
  };
}

/** Steps for the operator of the installation. */
export function verificationSteps(
  { reverse_dns, unproved_requests, oldest_list_days, old_lists }: z.output<typeof claimVerification>,
  fetchesWebsites: boolean,
): string[] {
  const steps: string[] = [];
  if (reverse_dns === 'no_answer')
    steps.push(
      `Reverse DNS has not answered: ${unproved_requests} requests with crawler claims are unproved, so figures of verified crawlers leave them out. Let the enricher reach a DNS resolver (UDP and TCP port 53).`,
    );
  if (old_lists.length > 0)
    steps.push(
      `${old_lists.length} lists of crawlers’ addresses are up to ${oldest_list_days} days old: clients outside them are unverifiable. ${fetchesWebsites ? 'They are downloaded daily: let the jobs service reach the internet' : 'Set FETCH_WEBSITES=true so that they are downloaded daily'}, or run npm run refresh.`,
    );
  return steps;
}
