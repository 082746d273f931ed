import { createHash } from 'node:crypto';

/** Pages in sitemaps, in bounded memory: 200,000 URLs may have 2,048 characters each. */
export interface ListedPages {
  has(url: string): boolean;
  /** In their order, each once, up to the size limit. */
  urls(): Iterable<string>;
}

/** For all URLs that are stored in full: 200,000 of 150 characters. */
const MOST_CHARACTERS = 30_000_000;
/** 96 bits: the chance of a collision among a million URLs is below 1 in 10^16. */
const DIGEST_LENGTH = 12;

/** @param mostCharacters stored in full; default: {@link MOST_CHARACTERS} */
export function createListedPages(
  mostCharacters = MOST_CHARACTERS,
): ListedPages & { add(url: string): void } {
  const digests = new Set<string>();
  const kept: string[] = [];
  let characters = 0;
  return {
    add(url) {
      const { size } = digests;
      digests.add(digestOf(url));
      if (digests.size === size || characters + url.length > mostCharacters) return;
      characters += url.length;
      kept.push(url);
    },
    has: (url) => digests.has(digestOf(url)),
    urls: () => kept,
  };
}

const digestOf = (url: string) => createHash('sha256').update(url).digest('latin1').slice(0, DIGEST_LENGTH);
