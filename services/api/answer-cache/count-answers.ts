import { Counter, type Registry } from 'prom-client';
import type { Origin } from './answer-cache.js';

/** How often a reusable answer was read, shared with a call at the same time, or kept from before. */
export function countAnswers(registry: Registry): (origin: Origin) => void {
  const answers = new Counter({
    name: 'loglane_api_reusable_answers_total',
    help: 'Answers that equal calls may share: run for the call, shared with another one, or kept from before',
    labelNames: ['origin'],
    registers: [registry],
  });
  return (origin) => answers.inc({ origin });
}
