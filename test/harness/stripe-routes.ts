import { type Form, type StripeAccount, StripeFailure } from './stripe-account.js';

/** The requests of the Stripe server, with the parameters that Loglane may send. */

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly params: RegExp;
  run(account: StripeAccount, form: Form, id: string): object;
}

const SUBSCRIPTION = /^\/v1\/subscriptions\/(\w+)$/;
const routes: readonly Route[] = [
  {
    method: 'POST',
    path: /^\/v1\/customers$/,
    params: /^(name|email|metadata\[\w+\])$/,
    run: (account, form) => account.createCustomer(form),
  },
  {
    method: 'POST',
    path: /^\/v1\/customers\/(\w+)$/,
    params: /^(name|email)$/,
    run: (account, form, id) => account.updateCustomer(id, form),
  },
  {
    method: 'GET',
    path: /^\/v1\/prices$/,
    params: /^(lookup_keys\[\d\]|active|limit)$/,
    run: (account, form) => account.listPrices(form),
  },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions$/,
    params:
      /^(mode|customer|client_reference_id|line_items\[0\]\[(price|quantity)\]|subscription_data\[(trial_period_days|metadata\]\[\w+)\]|metadata\[\w+\]|discounts\[0\]\[coupon\]|payment_method_collection|success_url|cancel_url)$/,
    run: (account, form) => account.createSession(form),
  },
  {
    method: 'GET',
    path: SUBSCRIPTION,
    params: /^expand\[\d\]$/,
    run: (account, form, id) => account.readSubscription(id, form),
  },
  {
    method: 'GET',
    path: /^\/v1\/subscriptions$/,
    params: /^(customer|status|limit|expand\[\d\])$/,
    run: (account, form) => account.listSubscriptions(form),
  },
  {
    method: 'POST',
    path: SUBSCRIPTION,
    params: /^(items\[0\]\[(id|price)\]|metadata\[\w+\]|proration_behavior|payment_behavior|expand\[\d\])$/,
    run: (account, form, id) => account.updateSubscription(id, form),
  },
  {
    method: 'POST',
    path: /^\/v1\/billing_portal\/sessions$/,
    params: /^(customer|return_url)$/,
    run: (account, form) => account.createPortalSession(form),
  },
];

/** @throws StripeFailure */
export function answer(account: StripeAccount, method: string, pathname: string, form: Form): object {
  const route = routes.find((each) => each.method === method && each.path.test(pathname));
  if (route === undefined) throw refused(404, `Unrecognized request URL (${method}: ${pathname}).`);
  for (const name of form.keys()) {
    if (!route.params.test(name)) throw refused(400, `Received unknown parameter: ${name}`, name);
  }
  return route.run(account, form, route.path.exec(pathname)![1] ?? '');
}

function refused(status: number, message: string, param?: string): StripeFailure {
  return new StripeFailure(status, { type: 'invalid_request_error', message, ...(param && { param }) });
}
