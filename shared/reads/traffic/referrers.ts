import { z } from '@hono/zod-openapi';
import { referrerClasses } from '../../requests/enriched-request.js';
import { answer } from '../answer/answer.js';
import { referrerClass } from '../answer/enumeration.js';
import {
  count,
  deltaPct,
  fieldsOf,
  humanRequests,
  percentOf,
  previousRequests,
  requestCount,
  sharePct,
  uniqueIps,
} from '../answer/figures.js';
import { comparedWindow, compareWindows } from '../answer/windows.js';
import { referrers as referrersRollup } from '../sql/read-tables.js';
import { select } from '../sql/select.js';

const figures = {
  requests: requestCount,
  share_pct: sharePct,
  human_requests: humanRequests,
  unique_ips: uniqueIps,
  status_4xx: count('Requests answered 4xx.'),
  status_5xx: count('Requests answered 5xx.'),
  previous_requests: previousRequests,
  delta_pct: deltaPct,
};

const referrer = z
  .object({
    referrer_domain: z.string().openapi({
      description:
        'Referring host; empty if only the link names an AI assistant (utm_source, ref or source).',
      example: 'www.google.com',
    }),
    referrer_class: referrerClass,
    ai_operator: z.string().openapi({
      description:
        'AI assistant that sent the visitors, by referring host, utm_source, ref or source; otherwise empty.',
    }),
    ...figures,
  })
  .openapi('Referrer');

const classEntry = z.object({ referrer_class: referrerClass, ...figures });

export const referrers = answer({
  schema: z.object({
    ...comparedWindow,
    total_requests: count('All requests.'),
    direct_share_pct: z.number().openapi({ description: 'Percentage of requests without a referrer.' }),
    by_class: z.array(classEntry).openapi({ description: 'All classes, most requests first, with zeros.' }),
    referrers: z.array(referrer),
  }),
  from: [[referrersRollup]],
  async read(reader, scope, { limit }: { limit: number }) {
    const [time, { classes, list }] = await Promise.all([
      compareWindows(reader, scope),
      select(reader, scope, {
        name: 'referrers.lists',
        from: [referrersRollup],
        lists: {
          classes: { by: ['referrer_class'], limit: referrerClasses.length, withPast: true },
          // Direct requests take at most one row of the list and are not a referrer.
          list: { by: ['referrer_domain', 'referrer_class', 'ai_operator'], limit: limit + 1 },
        },
        metrics: ['requests', 'human_requests', 'status_4xx', 'status_5xx', 'client_ips'],
        previous: ['requests'],
      }),
    ]);
    const total = classes.reduce((sum, row) => sum + row.requests, 0);
    const toFigures = (row: Figures) => ({
      share_pct: percentOf(row.requests, total),
      unique_ips: row.client_ips,
      delta_pct: time.change.pct(row.requests, row.previous_requests),
    });
    const direct = classes.find((row) => row.referrer_class === 'direct')?.requests ?? 0;
    return {
      ...time.windows,
      total_requests: total,
      direct_share_pct: percentOf(direct, total),
      by_class: everyClass(classes).map((row) => fieldsOf(classEntry, toFigures(row), row)),
      referrers: list
        .filter((row) => row.referrer_class !== 'direct')
        .slice(0, limit)
        .map((row) => fieldsOf(referrer, toFigures(row), row)),
    };
  },
});

const nothing = {
  requests: 0,
  human_requests: 0,
  client_ips: 0,
  status_4xx: 0,
  status_5xx: 0,
  previous_requests: 0,
};
type Figures = Readonly<typeof nothing>;

/** Classes with requests are sorted; the others follow in the order of their definition. */
function everyClass(rows: readonly (Figures & { referrer_class: string })[]) {
  const occurring = rows.filter((row) => row.requests > 0);
  const rest = referrerClasses.filter((name) => !occurring.some((row) => row.referrer_class === name));
  return [
    ...occurring,
    ...rest.map((name) => ({
      ...nothing,
      ...rows.find((row) => row.referrer_class === name),
      referrer_class: name as string,
    })),
  ];
}
