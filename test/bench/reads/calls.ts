/** The windowed reads that the bench asks, by path alone: how they are answered may change under it. */
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

/** Reads that have a window of their own and take none. */
const withoutWindow: ReadonlySet<string> = new Set(['live', 'setup']);

export const takesWindow = (read: string): boolean => !withoutWindow.has(read);

/** Lengths that a cold call may have: a little less work than asked, and no two calls of a website alike. */
const LENGTHS = 12;

/**
 * The call's path for a window of some `hours` that ends now.
 * @param round how often this website was asked before; 0 always: the same call.
 */
export function pathOf(read: string, hours: number, round: number): string {
  return takesWindow(read) ? `/${read}?hours=${hours - (round % LENGTHS)}` : `/${read}`;
}
