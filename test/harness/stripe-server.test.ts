import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StripeServer, startStripeServer } from './stripe-server.js';

let stripe: StripeServer;
beforeAll(async () => {
  stripe = await startStripeServer();
});
afterAll(() => stripe.stop());

const ask = async (path: string, form?: Record<string, string>, key = stripe.secretKey) => {
  const body = form && { method: 'POST', body: new URLSearchParams(form) };
  const answer = await fetch(`${stripe.url}${path}`, {
    headers: { Authorization: `Bearer ${key}` },
    ...body,
  });
  return { status: answer.status, body: (await answer.json()) as any };
};

test.each([
  ['a parameter that Stripe does not know', '/v1/customers', { nmae: 'Acme' }, 400, 'nmae'],
  ['a request that Stripe does not know', '/v1/custom', { name: 'Acme' }, 404, undefined],
  ['a checkout of an unknown customer', '/v1/checkout/sessions', { customer: 'c' }, 400, 'customer'],
])('%s is refused', async (_, path, form, status, param) => {
  const answer = await ask(path, form as Record<string, string>);
  expect(answer.status).toBe(status);
  expect(answer.body.error).toMatchObject({ type: 'invalid_request_error' });
  expect(answer.body.error.param).toBe(param);
});

test('another key is refused everywhere', async () => {
  expect(await ask('/v1/prices', undefined, 'sk_test_other')).toMatchObject({ status: 401 });
});
