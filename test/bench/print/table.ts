/** A table of text: the first column to the left, the others to the right, two spaces between them. */
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

/** A figure with its name before it. */
export function namedLine(name: string, value: string): string {
  return `${name.padEnd(NAME_WIDTH)} ${value}`.trimEnd();
}
