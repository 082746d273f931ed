import { type Check, defineCheck, pass } from '../facts/check.js';
import { advise, evidenceOf } from '../facts/retrievals.js';

/** A security header of the home page. A missing one results in advice, not in a failure. */
export function headerCheck(given: {
  readonly id: string;
  readonly title: string;
  readonly header: string;
  /** Whether its value has the intended effect. */
  readonly holds: (value: string, headers: ReadonlyMap<string, string>) => boolean;
  /** The danger without it. */
  readonly why: string;
  readonly advice: string;
}): Check {
  return defineCheck({
    id: given.id,
    title: given.title,
    category: 'security',
    weight: 1,
    needs: ['page'],
    judge({ page: { retrieval } }) {
      const value = retrieval.headers.get(given.header) ?? '';
      const seen = { header: given.header, value: value === '' ? null : value.slice(0, 300) };
      if (given.holds(value.toLowerCase().slice(0, 10_000), retrieval.headers))
        return pass(`${given.header} is set.`, { ...evidenceOf(retrieval), ...seen });
      return advise(given.why, retrieval, [given.advice], seen);
    },
  });
}
