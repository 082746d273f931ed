import type { Platform } from '../../../shared/control/domain/model.js';
import { apache } from './apache.js';
import { cloudflare } from './cloudflare.js';
import { cloudfront } from './cloudfront.js';
import { fastly } from './fastly.js';
import { netlify } from './netlify.js';
import { nginx } from './nginx.js';
import { robots } from './robots.js';
import type { SnippetTarget, SnippetTargetName } from './target.js';
import { vercel } from './vercel.js';

/** All targets, in the order of spec §4.8. */
export const snippetTargets: readonly SnippetTarget[] = [
  cloudflare,
  cloudfront,
  fastly,
  nginx,
  apache,
  netlify,
  vercel,
  robots,
];

const byName = new Map(snippetTargets.map((target) => [target.name, target]));

export function snippetTargetOf(name: SnippetTargetName): SnippetTarget {
  return byName.get(name)!;
}

/** The target for a platform. Akamai's rules are not text. A log shipper is no server, so its target is the usual web server. */
export const targetOfPlatform: Readonly<Record<Platform, SnippetTargetName>> = {
  cloudflare: 'cloudflare',
  aws: 'cloudfront',
  vercel: 'vercel',
  netlify: 'netlify',
  fastly: 'fastly',
  akamai: 'nginx',
  vector: 'nginx',
};
