import type { Config } from '../config.js';

/** Addresses as customers see them; without a trailing slash. */
export interface PublicUrls {
  readonly base: string;
  readonly ingest: string;
}

/** `ports`: those in use, where the configuration left them open. */
export function publicUrls(
  config: Pick<Config, 'HOST' | 'API_PORT' | 'INGEST_PORT' | 'PUBLIC_API_URL' | 'PUBLIC_INGEST_URL'>,
  ports: { readonly api?: number; readonly ingest?: number } = {},
): PublicUrls {
  const host = hostForUrl(config.HOST);
  return {
    base: config.PUBLIC_API_URL ?? `http://${host}:${ports.api ?? config.API_PORT}`,
    ingest: config.PUBLIC_INGEST_URL ?? `http://${host}:${ports.ingest ?? config.INGEST_PORT}/v1/logs`,
  };
}

/** Where the pages of the payment processor send the customer back to: where the operator says, else to the API's own page. */
export function billingReturnUrl(config: Pick<Config, 'BILLING_RETURN_URL'>, { base }: PublicUrls): string {
  return config.BILLING_RETURN_URL ?? `${base}/public/v1/docs`;
}

function hostForUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
