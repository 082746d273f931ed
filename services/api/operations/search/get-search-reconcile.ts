import { z } from '@hono/zod-openapi';
import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '../../../../shared/durations.js';
import type { ApiControl } from '../../control/control.js';
import { websiteRead } from '../../operation/operation.js';
import { integerParameter, MAX_HOURS } from '../../operation/parameters.js';
import { connectionFor } from './connection.js';
import { searchReconcile } from './search-reconcile.js';

type Answered = Awaited<ReturnType<typeof searchReconcile.read>>;

/** Cached answers; each has at most 250 examples. */
const MOST_KEPT = 200;

/** By website, source and period, with the time of the read. Each API in a process has its own cache. */
const kept = new WeakMap<ApiControl, LRUCache<string, { readonly at: number; readonly answer: Answered }>>();

export const getSearchReconcile = websiteRead({
  id: 'getSearchReconcile',
  tag: 'Search',
  path: '/search/reconcile',
  summary: 'Comparison of crawler fetches with the index of the engine',
  description:
    'Pages by whether search crawlers fetched them in the period and whether the engine lists them (URL inspection). Only pages count: files of type html, htm, xhtml, php, asp, aspx or jsp (a path without an extension is html). The period begins with the UTC day that is `hours` ago. Answers are cached for an hour per period. Bing has no URL inspection, so all its pages are fetched_not_inspected.',
  query: z.object({
    hours: integerParameter({ min: 1, max: MAX_HOURS, default: 168, description: 'Period that ends now.' }),
  }),
  answer: searchReconcile.schema,
  async run({ hours }, context) {
    const { services, website, now } = context;
    const connection = connectionFor(context);
    const key = JSON.stringify([website.id, connection?.sourceId ?? null, hours]);
    const answers = kept.get(services.control) ?? new LRUCache({ max: MOST_KEPT });
    kept.set(services.control, answers);
    const cached = answers.get(key);
    if (cached !== undefined && now - cached.at < HOUR_MS) return cached.answer;
    const question = { websiteId: website.id, now };
    const answer = await searchReconcile.read(services.reader, question, { connection, hours });
    if (connection !== null) answers.set(key, { at: now, answer });
    return answer;
  },
});
