import type { Platform } from '../../../shared/control/domain/model.js';

/** The setup guides: pages of docs/sources, by the name of their file. In the order in which the index shows them. */
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

/** Which guide a website begins with that said so much of itself. */
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

/** @returns null where the platform is unknown. */
export function guideOfPlatform(platform: Platform | null): Guide | null {
  return platform === null ? null : ofPlatform[platform];
}

/** @returns null for a source that has none. */
export function guideOfSource(source: string): Guide | null {
  return ofSource.get(source) ?? guides.find((guide) => guide === source) ?? null;
}
