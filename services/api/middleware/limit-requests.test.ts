import { Hono } from 'hono';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createUsageCounter } from '../../../shared/usage/usage-counter.js';
import type { Caller } from '../control/api-control.js';
import { answerErrors } from './answer-errors.js';
import type { ApiEnv } from './env.js';
import { limitRequests } from './limit-requests.js';

/** Limits of whole operations are in test/contract/hourly-limits.test.ts. */

it('lets a plan without API access make 50 calls an hour where all plans may call', async () => {
  const limitOf = limitRequests({
    services: {
      control: { plan: () => ({ name: 'Free', apiAccess: false, hourlyApiLimit: null }) } as never,
      usage: createUsageCounter('r1'),
    },
    now: () => Date.parse('2026-11-21T12:00:00Z'),
    registry: new Registry(),
  });
  const app = new Hono<ApiEnv>();
  app.onError(answerErrors);
  app.use(async (c, next) => {
    c.set('caller', { organisation: { id: 'org_1' }, apiKey: { kind: 'key' } } as Caller);
    await next();
  });
  const { show, take } = limitOf({ bucket: 'requests', allPlans: true });
  app.get('/', show, take, (c) => c.json({}));
  const answers = [];
  for (let call = 0; call < 51; call += 1) answers.push(await app.request('/'));
  expect(answers.map(({ status }) => status)).toEqual([...Array(50).fill(200), 429]);
  expect(answers[0]!.headers.get('X-RateLimit-Remaining')).toBe('49');
  expect(await answers[50]!.json()).toMatchObject({ limit: 50 });
});
