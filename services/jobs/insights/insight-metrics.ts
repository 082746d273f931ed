import { Counter, type Registry } from 'prom-client';

export type InsightMetrics = ReturnType<typeof createInsightMetrics>;

export function createInsightMetrics(registry: Registry) {
  const registers = [registry];
  return {
    tokens: new Counter({
      name: 'loglane_insights_tokens_total',
      help: 'Tokens of answered language model calls, by model and direction (input, output)',
      labelNames: ['model', 'direction'],
      registers,
    }),
    insights: new Counter({
      name: 'loglane_insights_total',
      help: 'Started insights, by result (written, discarded: a digit, a link or an unknown reference after one correction, over_budget, failed)',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
