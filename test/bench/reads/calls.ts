/** The windowed reads of the bench, by path only, so that their implementation may change. */
export const windowedReads = [
  'summary',
  'traffic',
  'bots',
  'bots/access',
  'paths',
  'ips',
  'devices',
  'geography',
  'referrers',
  'status-codes',
  'llms',
  'seo',
  'seo/path-explorer',
  'seo/url-patterns',
  'ai-funnel',
  'ai-landing',
  'live',
  'requests',
  'setup',
  'segments-breakdown',
] as const;

/** Reads with a fixed window. */
const withoutWindow: ReadonlySet<string> = new Set(['live', 'setup']);

export const takesWindow = (read: string): boolean => !withoutWindow.has(read);

/**
 * Number of different lengths of a cold call's window: slightly shorter than requested, so that no two calls
 * of a website are equal.
 */
const LENGTHS = 12;

/**
 * The call's path for a window of about `hours` that ends now.
 * @param round number of earlier calls of this website; always 0: the same call
 */
export function pathOf(read: string, hours: number, round: number): string {
  return takesWindow(read) ? `/${read}?hours=${hours - (round % LENGTHS)}` : `/${read}`;
}
