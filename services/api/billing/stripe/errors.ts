import Stripe from 'stripe';
import {
  PaymentRefusedError,
  PaymentUnavailableError,
} from '../../../../shared/control/domain/payment-processor.js';
import { misconfigured } from './prices.js';

/**
 * Runs a call and turns the library's failures into ours. The library's own errors go no further: they carry whole objects
 * of Stripe, secrets of the client's side among them, and would end in the log.
 */
export async function translating<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof Stripe.errors.StripeError ? translate(error) : error;
  }
}

/** https://docs.stripe.com/error-codes */
function translate(error: Stripe.errors.StripeError): PaymentUnavailableError | PaymentRefusedError {
  const { StripeCardError, StripeIdempotencyError, StripeInvalidRequestError } = Stripe.errors;
  const cause = summary(error);
  if (error instanceof StripeCardError) return new PaymentRefusedError(cardMessage(error), { cause });
  if (error instanceof StripeIdempotencyError)
    return new PaymentRefusedError('This idempotency key was used for another request before.', { cause });
  if (!(error instanceof StripeInvalidRequestError))
    return new PaymentUnavailableError('the payment processor is not available', { cause });
  if (error.code !== 'resource_missing')
    return new PaymentRefusedError('The payment processor refused the request.', { cause });
  // What we name is from our configuration or from Stripe itself. Without a parameter, what is missing is the card.
  if (error.param) return misconfigured(cause.message);
  return new PaymentRefusedError('There is no card on file; add one on the billing portal.', { cause });
}

/** Messages of declined cards are written for the customer, but for this one, which is written for the programmer. */
function cardMessage({ code, message }: Stripe.errors.StripeCardError): string {
  return code === 'subscription_payment_intent_requires_action'
    ? 'The bank wants the payment confirmed; add the card again on the billing portal.'
    : message;
}

function summary({ type, code, param, statusCode, requestId, message }: Stripe.errors.StripeError): Error {
  const facts = { code, param, status: statusCode, request: requestId };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  const list = known.map(([name, value]) => `${name} ${value}`).join(', ');
  return new Error(`${type}${list && ` (${list})`}: ${message}`);
}
