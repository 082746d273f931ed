import { cloudflare } from './cloudflare.js';
import { combined } from './combined.js';
import { haproxy } from './haproxy.js';
import { loglane } from './loglane.js';
import type { Source } from './source.js';

/** Every source, in the order in which detection asks them: the most telling names first. */
export const sources: readonly Source[] = [cloudflare, haproxy, loglane, combined];
