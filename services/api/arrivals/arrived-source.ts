import { type Platform, platforms } from '../../../shared/control/domain/model.js';
import type { RecentUploads } from './known-uploads.js';

/** The source of stored requests is better evidence of a website's platform than its domain. */

/** The source that the last upload was read as (services/ingest/sources), whatever came empty since; null: none was recognised. */
export function arrivedSource({ lastRead, lastRejection }: RecentUploads): string | null {
  return lastRead?.source ?? lastRejection?.source ?? null;
}

/** Sources that one platform alone sends. */
const platformOf = new Map<string, Platform>([
  ['cloudflare', 'cloudflare'],
  ['cloudfront', 'aws'],
  ['cloudfront-standard', 'aws'],
  ['cloudfront-realtime', 'aws'],
  ['alb', 'aws'],
  ['s3', 'aws'],
  ['vercel', 'vercel'],
  ['netlify', 'netlify'],
  ['fastly', 'fastly'],
  ['akamai', 'akamai'],
]);

/** By the source that arrives, where one platform alone sends it; else as the website was registered, or the fallback of spec §2.2. */
export function arrivedPlatform(recent: RecentUploads, registered: Platform | null): Platform {
  return platformOf.get(arrivedSource(recent) ?? '') ?? registered ?? platforms[0];
}
