/** A text table: the first column aligned left, the others right, with two spaces between them. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}

const NAME_WIDTH = 42;

/** A figure after its name. */
export function namedLine(name: string, value: string): string {
  return `${name.padEnd(NAME_WIDTH)} ${value}`.trimEnd();
}
