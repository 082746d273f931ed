/**
 * What a recommendation comes to in the configuration of a platform (spec §4.8): a text that the owner of the website puts in.
 * Addresses, names and paths come out of requests, so each may hold anything: a target quotes them for its own parser.
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

/** A bot's name and the addresses that claim it falsely: the name alone would meet the real one, too. */
export interface Impostor {
  readonly name: string;
  /** What its user agents hold, ignoring case; '' where they don't name it: then the addresses alone decide. */
  readonly userAgentPart: string;
  /** Plain text (`normaliseClientIp`). */
  readonly addresses: readonly string[];
  /** Whether the window has a request of the real one. */
  readonly realOneSeen: boolean;
  readonly isSearchCrawler: boolean;
}

export interface Snippet {
  readonly filename: string;
  /** Entries that the text holds: addresses, pairs of name and address, or paths. */
  readonly count: number;
  /** '' where the target can't do it, or nothing is to be listed. */
  readonly text: string;
  /** Sentences: where it goes, what it does not cover. */
  readonly notes: readonly string[];
}

/** One platform. Pure: the same entries give the same text. */
export interface SnippetTarget {
  readonly name: SnippetTargetName;
  /** @param addresses plain text (`normaliseClientIp`). */
  blockIps(addresses: readonly string[]): Snippet;
  blockBots(impostors: readonly Impostor[]): Snippet;
  /** @param paths as `goablePaths` lets them through. */
  gone(paths: readonly string[]): Snippet;
}

/** An honest no: what the target can't do, and what can. */
export function unable(filename: string, ...notes: string[]): Snippet {
  return { filename, count: 0, text: '', notes };
}

/** How many pairs of name and address there are. */
export function pairsOf(impostors: readonly Impostor[]): number {
  return impostors.reduce((total, { addresses }) => total + addresses.length, 0);
}
