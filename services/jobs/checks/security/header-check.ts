import { type Check, defineCheck, pass } from '../facts/check.js';
import { advise, told } from '../facts/retrievals.js';

/** A header of the home page that browsers heed for safety's sake; without it there is advice, and no failure. */
export function headerCheck(given: {
  readonly id: string;
  readonly title: string;
  readonly header: string;
  /** Whether its value does what it is for. */
  readonly holds: (value: string, headers: ReadonlyMap<string, string>) => boolean;
  /** Of what it keeps people safe. */
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
        return pass(`${given.header} is set.`, { ...told(retrieval), ...seen });
      return advise(given.why, retrieval, [given.advice], seen);
    },
  });
}
