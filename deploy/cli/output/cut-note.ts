/** How much of a list an answer has. */
export interface Extent {
  /** Rows of all pages, where the answer says so. */
  readonly total: number | null;
  /** Whether there are rows beyond those of the answer, or may be. */
  readonly hasMore: boolean;
  /** Whether --limit or --all reads them. */
  readonly isReachable: boolean;
}

/** @returns null if the output has the whole list */
export function cutNote(list: string, shown: number, { total, hasMore, isReachable }: Extent): string | null {
  if (!hasMore && (total === null || total <= shown)) return null;
  const rows =
    total !== null && total > shown ? `${shown} of ${total} rows` : `${shown} rows, and there may be more`;
  return `${list}: ${rows}; ${isReachable ? '--limit N or --all prints more' : 'one answer has no more: filters or another window show others'}`;
}
