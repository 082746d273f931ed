import type { Registry } from 'prom-client';

/** Metrics of the process in Prometheus format. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
}

const KEPT_MS = 1_000;

/**
 * Renders the text at most once a second, since rendering takes milliseconds of the event loop. @param now milliseconds
 * since the epoch
 */
export function keptMetrics(registry: Registry, now: () => number): Metrics {
  let made: { readonly at: number; readonly text: Promise<string> } | undefined;
  return {
    contentType: registry.contentType,
    text() {
      const at = now();
      if (made === undefined || Math.abs(at - made.at) >= KEPT_MS) made = { at, text: registry.metrics() };
      return made.text;
    },
  };
}
