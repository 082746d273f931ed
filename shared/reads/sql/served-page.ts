/** File types of pages, which people open and search engines list. */
export const pageTypes = ['html', 'htm', 'xhtml', 'php', 'asp', 'aspx', 'jsp'] as const;

/** SQL that is true for statuses that serve the response or confirm the client's copy. */
export function isServedStatus(status: string): string {
  return `${status} >= 200 AND ${status} < 300 OR ${status} = 304`;
}

/** The same test in this process. */
export function servesStatus(status: number): boolean {
  return (status >= 200 && status < 300) || status === 304;
}

/** SQL that is true for a page and false for an asset. */
export function isPage(fileType: string): string {
  return `${fileType} IN (${pageTypes.map((type) => `'${type}'`).join(', ')})`;
}

/** SQL that is true for a request of a served page: not an asset, a redirect or an error. */
export function isServedPage(fileType: string, status: string): string {
  return `${isPage(fileType)} AND (${isServedStatus(status)})`;
}
