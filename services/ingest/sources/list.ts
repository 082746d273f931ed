import { alb } from './alb.js';
import { bunny } from './bunny.js';
import { cloudflare } from './cloudflare.js';
import { combined } from './combined.js';
import { envoyText } from './envoy-text.js';
import { haproxy } from './haproxy.js';
import { loglane } from './loglane.js';
import { nginxProxyManager } from './nginx-proxy-manager.js';
import { s3 } from './s3.js';
import type { Source } from './source.js';

/** Every source, in the order in which detection asks them: the most telling names first. */
export const sources: readonly Source[] = [
  cloudflare,
  bunny,
  alb,
  s3,
  envoyText,
  nginxProxyManager,
  haproxy,
  loglane,
  combined,
];
