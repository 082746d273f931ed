import type { Sender } from './sender.js';

/**
 * Shippers that write to Splunk's HTTP Event Collector. They follow the status; some read the code too (Splunk's
 * "HTTP Event Collector error
 * codes").
 */
export const splunk: Sender = {
  name: 'splunk',
  matches: ({ path }) => isCollectorPath(path),
  shapeAnswer({ status, headers, body }) {
    if (status === 200) return { status, headers, body: { text: 'Success', code: 0 } };
    const detail = (body as { readonly detail?: unknown }).detail;
    return { status, headers, body: { text: String(detail ?? 'failed'), code: codes.get(status) ?? 8 } };
  },
};

/** Invalid data format, invalid token, server is busy. */
const codes: ReadonlyMap<number, number> = new Map([
  [400, 6],
  [401, 4],
  [503, 9],
]);

const collectorPaths: ReadonlySet<string> = new Set([
  '/services/collector',
  '/services/collector/event',
  '/services/collector/event/1.0',
  '/services/collector/raw',
  '/services/collector/raw/1.0',
]);

/** Paths to which such shippers send events, as JSON or as lines. */
export function isCollectorPath(path: string): boolean {
  return collectorPaths.has(path);
}
