import { akamai } from './akamai.js';
import { alb } from './alb.js';
import { azure } from './azure/azure.js';
import { bunny } from './bunny.js';
import { caddy } from './caddy/caddy.js';
import { caddyConsole } from './caddy/caddy-console.js';
import { cloudflare } from './cloudflare.js';
import { cloudfront } from './cloudfront/cloudfront.js';
import { cloudfrontRealTime, cloudfrontStandard } from './cloudfront/cloudfront-lines.js';
import { combined } from './combined/combined.js';
import { envoy } from './envoy/envoy.js';
import { envoyText } from './envoy/envoy-text.js';
import { fastly } from './fastly.js';
import { gcp } from './gcp.js';
import { haproxy } from './haproxy.js';
import { json } from './json/json.js';
import { loglane } from './loglane.js';
import { netlify } from './netlify.js';
import { nginxProxyManager } from './nginx-proxy-manager.js';
import { s3 } from './s3.js';
import { traefik } from './traefik.js';
import type { Source } from './util/source.js';
import { vercel } from './vercel.js';
import { w3c } from './w3c/w3c.js';

/**
 * Every source, in the order of detection. The most specific names come first, and lines with known first characters
 * come before lines that may have a prefix.
 */
export const sources: readonly Source[] = [
  cloudflare,
  cloudfront,
  fastly,
  akamai,
  vercel,
  netlify,
  gcp,
  azure,
  caddy,
  traefik,
  envoy,
  json,
  loglane,
  w3c,
  caddyConsole,
  cloudfrontStandard,
  cloudfrontRealTime,
  alb,
  s3,
  bunny,
  envoyText,
  nginxProxyManager,
  haproxy,
  combined,
];
