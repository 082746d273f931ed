import type { MiddlewareHandler } from 'hono';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { ApiEnv } from './env.js';

/** Counts and times requests by operation. Paths without an operation count as `none`, so that there are few labels. */
export function measure(registry: Registry, clock: () => number): MiddlewareHandler<ApiEnv> {
  const requests = new Counter({
    name: 'loglane_api_requests_total',
    help: 'Requests answered by the API',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'loglane_api_request_duration_seconds',
    help: 'Time from the request to the start of its answer',
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  return async (c, next) => {
    const started = clock();
    await next();
    const labels = { operation: c.get('operationId') ?? 'none', status: String(c.res.status) };
    requests.inc(labels);
    durations.observe(labels, (clock() - started) / 1000);
  };
}
