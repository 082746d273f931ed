import { caddy } from './caddy.js';
import { cloudflare } from './cloudflare.js';
import { cloudfront } from './cloudfront.js';
import { cloudfrontRealTime, cloudfrontStandard } from './cloudfront-lines.js';
import { combined } from './combined.js';
import { envoy } from './envoy.js';
import { json } from './json.js';
import { loglane } from './loglane.js';
import type { Source } from './source.js';
import { traefik } from './traefik.js';
import { w3c } from './w3c.js';

/** Every source, in the order in which detection asks them: the most telling names first. */
export const sources: readonly Source[] = [
  cloudflare,
  cloudfront,
  caddy,
  traefik,
  envoy,
  loglane,
  json,
  w3c,
  cloudfrontStandard,
  cloudfrontRealTime,
  combined,
];
