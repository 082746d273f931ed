import { z } from '@hono/zod-openapi';
import { countReferrers, listReferrerClasses, listReferrers } from '../../../../shared/queries/referrers.js';
import { previousWindow } from '../../../../shared/queries/scope.js';
import { referrerClasses } from '../../../../shared/requests/enriched-request.js';
import { integerParameter, windowParameters } from '../../parameters.js';
import { answerWindow, toAnswerWindow } from '../answer-window.js';
import { referrerClass } from '../enumeration.js';
import { segmentRead } from '../segment-read.js';
import {
  changePct,
  count,
  deltaPct,
  percentOf,
  previousRequests,
  requestCount,
  sharePct,
  uniqueIps,
} from './figures.js';

const referrer = z
  .object({
    domain: z.string().openapi({
      description: 'Referring host; empty where an AI assistant named itself in utm_source alone.',
      example: 'www.google.com',
    }),
    referrer_class: referrerClass,
    ai_operator: z.string().openapi({
      description: 'AI assistant that sent the visitors, by referring host or utm_source; else empty.',
    }),
    requests: requestCount,
    share_pct: sharePct,
    human_requests: count('Requests that claim no bot.'),
    unique_ips: uniqueIps,
    status_4xx: requestCount,
    status_5xx: requestCount,
    previous_requests: previousRequests,
    delta_pct: deltaPct,
  })
  .openapi('Referrer');

export const getReferrers = segmentRead({
  id: 'getReferrers',
  tag: 'Traffic',
  path: '/referrers',
  summary: 'Where requests come from',
  description:
    'Requests by referring domain, most first, with search engines, AI assistants, social networks and the website itself told apart. Requests without a referrer are in `by_class` as `direct`, not in the list.',
  query: z.object({
    ...windowParameters(),
    limit: integerParameter({ min: 1, max: 500, default: 100, description: 'Referrers in the answer.' }),
  }),
  answer: z.object({
    window: answerWindow,
    total_requests: requestCount,
    direct_share_pct: z.number().openapi({ description: 'Percent of requests without a referrer.' }),
    by_class: z
      .array(
        z.object({
          referrer_class: referrerClass,
          requests: requestCount,
          share_pct: sharePct,
          human_requests: requestCount,
          unique_ips: uniqueIps,
          previous_requests: previousRequests,
          delta_pct: deltaPct,
        }),
      )
      .openapi({ description: 'All classes, most requests first, with zeros.' }),
    referrers: z.array(referrer),
  }),
  async read(reader, scope, input) {
    const before = { ...scope, window: previousWindow(scope.window) };
    const [classes, earlierClasses, rows] = await Promise.all([
      listReferrerClasses(reader, scope),
      listReferrerClasses(reader, before),
      listReferrers(reader, scope, { limit: input.limit }),
    ]);
    const domains = [...new Set(rows.map((row) => row.referrer_domain))];
    const earlier = domains.length === 0 ? [] : await countReferrers(reader, before, { domains });
    const previous = new Map(earlier.map((row) => [nameOf(row), row.requests]));
    const total = classes.reduce((sum, row) => sum + row.requests, 0);
    const compare = (requests: number, previousRequests: number) => ({
      requests,
      share_pct: percentOf(requests, total),
      previous_requests: previousRequests,
      delta_pct: changePct(requests, previousRequests),
    });
    const requestsOf = (list: typeof classes, name: string) =>
      list.find((row) => row.referrer_class === name)?.requests ?? 0;
    return {
      window: toAnswerWindow(scope.window),
      total_requests: total,
      direct_share_pct: percentOf(requestsOf(classes, 'direct'), total),
      by_class: everyClass(classes).map(({ requests, ...row }) => ({
        ...row,
        ...compare(requests, requestsOf(earlierClasses, row.referrer_class)),
      })),
      referrers: rows.map(({ referrer_domain, requests, ...row }) => ({
        domain: referrer_domain,
        ...row,
        ...compare(requests, previous.get(nameOf({ referrer_domain, ...row })) ?? 0),
      })),
    };
  },
});

interface ReferrerName {
  readonly referrer_domain: string;
  readonly referrer_class: string;
  readonly ai_operator: string;
}

const nameOf = (row: ReferrerName) => `${row.referrer_domain}\n${row.referrer_class}\n${row.ai_operator}`;

type ClassRow = Awaited<ReturnType<typeof listReferrerClasses>>[number];

/** Those that occurred come sorted; the others follow in the order of their definition. */
function everyClass(rows: readonly ClassRow[]): ClassRow[] {
  const absent = referrerClasses.filter((name) => !rows.some((row) => row.referrer_class === name));
  return [
    ...rows,
    ...absent.map((name) => ({ referrer_class: name, requests: 0, human_requests: 0, unique_ips: 0 })),
  ];
}
