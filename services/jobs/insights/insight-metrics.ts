import { Counter, type Registry } from 'prom-client';

export type InsightMetrics = ReturnType<typeof createInsightMetrics>;

export function createInsightMetrics(registry: Registry) {
  const registers = [registry];
  return {
    tokens: new Counter({
      name: 'loglane_insights_tokens_total',
      help: 'Tokens of calls of the language model that were answered, by model and direction (input, output)',
      labelNames: ['model', 'direction'],
      registers,
    }),
    insights: new Counter({
      name: 'loglane_insights_total',
      help: 'Insights that were begun, by how that ended (written, discarded: it had a digit, a link or an unknown reference after one correction, over_budget, failed)',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
