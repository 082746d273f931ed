/** File types of pages: what people open and search engines list. */
export const pageTypes = ['html', 'htm', 'xhtml', 'php', 'asp', 'aspx', 'jsp'] as const;

/** SQL that holds for the answers that give what was asked for, or say that the client's copy of it still stands. */
export function isServedStatus(status: string): string {
  return `${status} >= 200 AND ${status} < 300 OR ${status} = 304`;
}

/** SQL that holds for a page, not for an asset. */
export function isPage(fileType: string): string {
  return `${fileType} IN (${pageTypes.map((type) => `'${type}'`).join(', ')})`;
}

/** SQL that holds for a request of a page that was served: neither an asset, nor a redirect, nor an error. */
export function isServedPage(fileType: string, status: string): string {
  return `${isPage(fileType)} AND (${isServedStatus(status)})`;
}
