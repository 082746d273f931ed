import type { QueryParameter } from '../../store/client.js';

/** A condition in SQL, with its parameters. */
export interface Clause {
  readonly sql: string;
  readonly params: Readonly<Record<string, QueryParameter>>;
}

/** The conjunction of the clauses; null ones are ignored. Their parameters must have different names. */
export function combine(clauses: readonly (Clause | null)[]): Clause {
  const present = clauses.filter((clause) => clause !== null);
  return {
    sql: present.map((clause) => clause.sql).join(' AND '),
    params: Object.assign({}, ...present.map((clause) => clause.params)),
  };
}
