import { type Platform, platforms } from '../../../shared/control/domain/model.js';
import type { RecentUploads } from './known-uploads.js';

/** The log source of stored requests is better evidence of a website's platform than its domain. */

/** The source of the last recognised upload (services/ingest/sources), ignoring later empty ones; null: none was recognised. */
export function arrivedSource({ lastRead, lastRejection }: RecentUploads): string | null {
  return lastRead?.source ?? lastRejection?.source ?? null;
}

/** Sources that only one platform sends. */
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

/** The platform of the arriving source, if only one platform sends it; else the registered platform or the fallback of spec §2.2. */
export function arrivedPlatform(recent: RecentUploads, registered: Platform | null): Platform {
  return platformOf.get(arrivedSource(recent) ?? '') ?? registered ?? platforms[0];
}
