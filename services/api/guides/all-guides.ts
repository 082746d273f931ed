import type { Platform } from '../../../shared/control/domain/model.js';

/** The setup guides: pages of docs/sources, by file name, in the order of the index. */
export const guides = [
  'cloudflare',
  'cloudfront',
  'fastly',
  'akamai',
  'vercel',
  'netlify',
  'gcp',
  'azure',
  'bunny',
  'alb',
  's3',
  'nginx',
  'apache',
  'caddy',
  'haproxy',
  'traefik',
  'envoy',
  'envoy-text',
  'nginx-proxy-manager',
  'w3c',
  'json',
  'own-format',
  'syslog-ng',
  'rsyslog',
  'vector',
  'fluent-bit',
  'fluentd',
  'logstash',
  'filebeat',
  'opentelemetry',
] as const;
export type Guide = (typeof guides)[number];

/** The guide for each registered or detected platform. */
const ofPlatform: Readonly<Record<Platform, Guide>> = {
  cloudflare: 'cloudflare',
  aws: 'cloudfront',
  vercel: 'vercel',
  netlify: 'netlify',
  fastly: 'fastly',
  akamai: 'akamai',
  vector: 'vector',
};

/** Sources (services/ingest/sources) whose guide has another name. */
const ofSource = new Map<string, Guide>([
  ['cloudfront-standard', 'cloudfront'],
  ['cloudfront-realtime', 'cloudfront'],
  ['template', 'own-format'],
  ['combined', 'nginx'],
]);

/** @returns null if the platform is unknown. */
export function guideOfPlatform(platform: Platform | null): Guide | null {
  return platform === null ? null : ofPlatform[platform];
}

/** @returns null for a source without a guide. */
export function guideOfSource(source: string): Guide | null {
  return ofSource.get(source) ?? guides.find((guide) => guide === source) ?? null;
}
