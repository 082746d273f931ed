/** Rows and answers as the forms of output need them. */

export type Row = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a field that may be missing. Names come from outside. */
export function fieldOf(row: Row, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

/** Nested objects become fields with dotted names. Lists are kept. */
export function flatten(row: Row, prefix = ''): Record<string, unknown> {
  const flat: [string, unknown][] = Object.entries(row).flatMap(([name, value]) =>
    isRow(value) ? Object.entries(flatten(value, `${prefix}${name}.`)) : [[`${prefix}${name}`, value]],
  );
  return Object.fromEntries(flat);
}

/** The chosen fields of a row, in this order. A dotted name reaches into objects. */
export function chosen(row: Row, fields: readonly string[] | null): Row {
  if (fields === null) return row;
  return Object.fromEntries(fields.map((field) => [field, reach(row, field) ?? null]));
}

/** Chosen fields that no row has. */
export function missingFields(rows: readonly Row[], fields: readonly string[]): string[] {
  return fields.filter((field) => rows.every((row) => reach(row, field) === undefined));
}

/** @returns undefined if the row has no such field */
function reach(row: Row, field: string): unknown {
  if (Object.hasOwn(row, field)) return row[field];
  let value: unknown = row;
  for (const name of field.split('.')) {
    if (!isRow(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** The lists of objects of an answer, with the names of their fields: the known ones first. */
export function listsIn(answer: Row, known: readonly string[]): [name: string, rows: readonly Row[]][] {
  const names = [...new Set([...known, ...Object.keys(answer)])];
  return names.flatMap((name) => {
    const value = Object.hasOwn(answer, name) ? answer[name] : undefined;
    return Array.isArray(value) && (known.includes(name) || (value.length > 0 && value.every(isRow)))
      ? [[name, value.filter(isRow)] as [string, readonly Row[]]]
      : [];
  });
}
