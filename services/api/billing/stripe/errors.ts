import Stripe from 'stripe';
import {
  PaymentRefusedError,
  PaymentUnavailableError,
} from '../../../../shared/control/domain/payment-processor.js';
import { misconfigured } from './prices.js';

/**
 * Runs a call and converts errors of the library. The library's errors contain whole Stripe objects with client secrets, which
 * would end in the log. So they are not passed on.
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
    return new PaymentRefusedError('This idempotency key was already used for another request.', { cause });
  if (!(error instanceof StripeInvalidRequestError))
    return new PaymentUnavailableError('the payment processor is not available', { cause });
  if (error.code !== 'resource_missing')
    return new PaymentRefusedError('The payment processor refused the request.', { cause });
  // A parameter name comes from our configuration or from Stripe itself. Without one, the card is missing.
  if (error.param) return misconfigured(cause.message);
  return new PaymentRefusedError('There is no card on file; add one on the billing portal.', { cause });
}

/** Messages of declined cards are written for customers. This one is written for programmers and is replaced. */
function cardMessage({ code, message }: Stripe.errors.StripeCardError): string {
  return code === 'subscription_payment_intent_requires_action'
    ? 'The bank wants the payment confirmed; add the card again on the billing portal.'
    : message;
}

function summary({ type, code, param, statusCode, requestId, message }: Stripe.errors.StripeError): Error {
  const facts = { code, param, status: statusCode, request: requestId };
  const knownFacts = Object.entries(facts).filter(([, value]) => value !== undefined);
  const list = knownFacts.map(([name, value]) => `${name} ${value}`).join(', ');
  return new Error(`${type}${list && ` (${list})`}: ${message}`);
}
