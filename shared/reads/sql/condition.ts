/**
 * A condition on a dimension's value, defined once for the engine and for this process. Its values come from the program, never from a caller.
 */
export type Condition =
  | { readonly oneOf: readonly ConditionValue[] }
  | { readonly noneOf: readonly ConditionValue[] }
  /** A half-open range of numbers. */
  | { readonly from: number; readonly below: number };

type ConditionValue = string | number | boolean;

/** SQL that is true if the column's value passes. */
export function conditionSql(column: string, condition: Condition): string {
  if ('from' in condition) return `${column} >= ${condition.from} AND ${column} < ${condition.below}`;
  if ('oneOf' in condition) return membership(column, condition.oneOf, '=', 'IN');
  return membership(column, condition.noneOf, '!=', 'NOT IN');
}

function membership(column: string, values: readonly ConditionValue[], single: string, several: string) {
  const [first, ...others] = values.map(literal);
  return others.length === 0
    ? `${column} ${single} ${first}`
    : `${column} ${several} (${[first, ...others].join(', ')})`;
}

function literal(value: ConditionValue): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

/** Whether a value returned by the engine passes. */
export function conditionHolds(value: unknown, condition: Condition): boolean {
  if ('from' in condition) return Number(value) >= condition.from && Number(value) < condition.below;
  if ('oneOf' in condition) return condition.oneOf.includes(value as ConditionValue);
  return !condition.noneOf.includes(value as ConditionValue);
}
