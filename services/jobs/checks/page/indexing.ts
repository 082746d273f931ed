import type { Page } from '../facts.js';

const NAMES = ['robots', 'googlebot', 'bingbot'];

/** What tells search engines not to list the page: in its HTML, or in the header. Empty: nothing does. */
export function noindexOf({ html, retrieval }: Page): string[] {
  const metas = NAMES.flatMap((name) =>
    (html.metas.get(name) ?? [])
      .filter(forbids)
      .map((content) => `<meta name="${name}" content="${content.slice(0, 200)}">`),
  );
  const header = retrieval.headers.get('x-robots-tag');
  return header !== undefined && forbidsSearch(header)
    ? [...metas, `X-Robots-Tag: ${header.slice(0, 200)}`]
    : metas;
}

const wordsOf = (text: string) => text.toLowerCase().split(/[\s,;]+/);

function forbids(content: string): boolean {
  const words = wordsOf(content);
  return words.includes('noindex') || words.includes('none');
}

/** The header may name whom it is for (`otherbot: noindex, nofollow`): one that names others alone forbids search engines nothing. */
function forbidsSearch(header: string): boolean {
  let isForSearch = true;
  for (const word of wordsOf(header.slice(0, 2_000))) {
    if (word.endsWith(':')) isForSearch = NAMES.includes(word.slice(0, -1));
    else if (isForSearch && (word === 'noindex' || word === 'none')) return true;
  }
  return false;
}
