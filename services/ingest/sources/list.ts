import { akamai } from './akamai.js';
import { azure } from './azure.js';
import { cloudflare } from './cloudflare.js';
import { combined } from './combined.js';
import { fastly } from './fastly.js';
import { gcp } from './gcp.js';
import { loglane } from './loglane.js';
import { netlify } from './netlify.js';
import type { Source } from './source.js';
import { vercel } from './vercel.js';

/** Every source, in the order in which detection asks them: the most telling names first. */
export const sources: readonly Source[] = [
  cloudflare,
  akamai,
  vercel,
  netlify,
  gcp,
  azure,
  fastly,
  loglane,
  combined,
];
