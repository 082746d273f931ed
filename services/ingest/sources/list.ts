import { caddy } from './caddy.js';
import { cloudflare } from './cloudflare.js';
import { combined } from './combined.js';
import { envoy } from './envoy.js';
import { json } from './json.js';
import { loglane } from './loglane.js';
import type { Source } from './source.js';
import { traefik } from './traefik.js';

/** Every source, in the order in which detection asks them: the most telling names first. */
export const sources: readonly Source[] = [cloudflare, caddy, traefik, envoy, json, loglane, combined];
