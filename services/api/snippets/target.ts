/**
 * Recommendations as configuration of a platform (spec §4.8): a text that the website's owner installs. Addresses, names and paths come
 * from requests and may contain any characters, so each target quotes them for its own parser.
 */

/** Spec §4.8. */
export const snippetTypes = ['block_ips', 'block_bots', 'gone_404s'] as const;
export type SnippetType = (typeof snippetTypes)[number];

export const snippetTargetNames = [
  'cloudflare',
  'cloudfront',
  'fastly',
  'nginx',
  'apache',
  'netlify',
  'vercel',
  'robots',
] as const;
export type SnippetTargetName = (typeof snippetTargetNames)[number];

/** A bot's name and the addresses that claim it falsely. The name alone would also block the real bot. */
export interface Impostor {
  readonly name: string;
  /** Common part of its user agents, ignoring case; '' if they do not contain the name: then only the addresses match. */
  readonly userAgentPart: string;
  /** Normalised text (`normaliseClientIp`). */
  readonly addresses: readonly string[];
  /** Whether the window has a request of the real bot. */
  readonly realOneSeen: boolean;
  readonly isSearchCrawler: boolean;
}

export interface Snippet {
  readonly filename: string;
  /** Entries in the text: addresses, pairs of name and address, or paths. */
  readonly count: number;
  /** '' if the target can not do it, or the list is empty. */
  readonly text: string;
  /** Sentences about where to put the text and what it does not cover. */
  readonly notes: readonly string[];
}

/** One platform. Pure: the same entries give the same text. */
export interface SnippetTarget {
  readonly name: SnippetTargetName;
  /** @param addresses normalised text (`normaliseClientIp`). */
  blockIps(addresses: readonly string[]): Snippet;
  blockBots(impostors: readonly Impostor[]): Snippet;
  /** @param paths accepted by `goablePaths`. */
  gone(paths: readonly string[]): Snippet;
}

/** For a target that can not do it. @param notes the limitation, and alternatives. */
export function unable(filename: string, ...notes: string[]): Snippet {
  return { filename, count: 0, text: '', notes };
}

/** Number of pairs of name and address. */
export function pairsOf(impostors: readonly Impostor[]): number {
  return impostors.reduce((total, { addresses }) => total + addresses.length, 0);
}
