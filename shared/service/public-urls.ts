import type { Config } from '../config.js';

/** URLs as customers see them; without a trailing slash. */
export interface PublicUrls {
  readonly base: string;
  readonly ingest: string;
}

/** @param ports actual ports if the configuration leaves them open */
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

/** The page that exchanges a sign-in token. Browsers send the fragment to no server, so no log and no Referer has the token. */
export function signInUrl({ base }: PublicUrls, token: string): string {
  return `${base}/sign-in#${token}`;
}

/** Page to which the payment processor returns the customer: the configured one, else the API's page. */
export function billingReturnUrl(config: Pick<Config, 'BILLING_RETURN_URL'>, { base }: PublicUrls): string {
  return config.BILLING_RETURN_URL ?? `${base}/public/v1/docs`;
}

function hostForUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
