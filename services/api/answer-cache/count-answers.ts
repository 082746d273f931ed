import { Counter, type Registry } from 'prom-client';
import type { Origin } from './answer-cache.js';

/** Counts reusable answers by origin: run, shared with a concurrent call, or cached. */
export function countAnswers(registry: Registry): (origin: Origin) => void {
  const answers = new Counter({
    name: 'loglane_api_reusable_answers_total',
    help: 'Answers that equal calls may share: run for the call, shared with a concurrent call, or cached',
    labelNames: ['origin'],
    registers: [registry],
  });
  return (origin) => answers.inc({ origin });
}
