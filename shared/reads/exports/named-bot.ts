import type { Scope } from '../sql/scope.js';
import type { ExportQuestion } from './question.js';

/** Narrows the scope by `bot`: a name, or a family, ignoring case. */
export function namedBot(scope: Scope, { bot }: Pick<ExportQuestion, 'bot'>): Scope {
  return bot === undefined ? scope : { ...scope, filters: { ...scope.filters, crawlers: { named: bot } } };
}
