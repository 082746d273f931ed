/** The common parameter max_rows (spec §2.1). */

export interface Truncated {
  readonly max_rows: number;
  /** Field path (`bots`, `bots[0].paths`) → original length, only for cut lists. */
  readonly original_counts: Readonly<Record<string, number>>;
  readonly note: string;
}

/**
 * Cuts every list in an answer, also nested ones, to its first entries and adds `_truncated`. An answer without long lists is returned
 * unchanged. An entry that is itself a list, such as the pair of an edge, is not cut. Returns a copy; `answer` must be JSON.
 */
export function truncateRows<Answer extends object>(
  answer: Answer,
  maxRows: number,
): Answer | (Answer & { _truncated: Truncated }) {
  const originalCounts = new Map<string, number>();
  const cut = cutLists(answer, '', maxRows, originalCounts) as Answer;
  if (originalCounts.size === 0) return answer;
  return {
    ...cut,
    _truncated: {
      max_rows: maxRows,
      original_counts: Object.fromEntries(originalCounts),
      note: `Lists longer than ${maxRows} show their first ${maxRows} entries; original_counts gives their full lengths. Raise or drop max_rows for more.`,
    },
  };
}

function cutLists(value: unknown, path: string, maxRows: number, counts: Map<string, number>): unknown {
  if (Array.isArray(value)) {
    if (value.length > maxRows) counts.set(path, value.length);
    return value
      .slice(0, maxRows)
      .map((entry, index) =>
        Array.isArray(entry) ? entry : cutLists(entry, `${path}[${index}]`, maxRows, counts),
      );
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      cutLists(field, path === '' ? name : `${path}.${name}`, maxRows, counts),
    ]),
  );
}
