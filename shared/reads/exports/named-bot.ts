import type { Scope } from '../sql/scope.js';
import type { ExportQuestion } from './question.js';

/** With `bot`: one by its name, or several by their family, ignoring case. */
export function namedBot(scope: Scope, { bot }: Pick<ExportQuestion, 'bot'>): Scope {
  return bot === undefined ? scope : { ...scope, filters: { ...scope.filters, crawlers: { named: bot } } };
}
