import { type Config, ConfigError } from '../../../shared/config.js';
import type { PaymentProcessor } from '../../../shared/control/domain/payment-processor.js';
import type { Logger } from '../../../shared/logging/log.js';
import { createStripeProcessor } from './stripe/stripe-processor.js';

/** Stripe answers in well under a second; the start of a charge may take longer. */
const TIMEOUT_MS = 10_000;

type BillingConfig = Pick<
  Config,
  'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_FIRST_MONTH_COUPON' | 'STRIPE_API_BASE'
>;

/**
 * The configured payment processor; null: none, and only the operator sets plans.
 * @throws ConfigError if one of Stripe's two secrets is missing.
 */
export function openPaymentProcessor(
  config: BillingConfig,
  { now, logger }: { readonly now: () => number; readonly logger: Logger },
): PaymentProcessor | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config;
  if (secretKey === undefined && webhookSecret === undefined) return null;
  if (secretKey === undefined)
    throw new ConfigError('configuration: STRIPE_WEBHOOK_SECRET: needs STRIPE_SECRET_KEY');
  if (webhookSecret === undefined)
    throw new ConfigError('configuration: STRIPE_SECRET_KEY: needs STRIPE_WEBHOOK_SECRET');
  return createStripeProcessor({
    secretKey,
    webhookSecret,
    apiBase: config.STRIPE_API_BASE,
    firstMonthCoupon: config.STRIPE_FIRST_MONTH_COUPON,
    timeoutMs: TIMEOUT_MS,
    now,
    logger,
  });
}
