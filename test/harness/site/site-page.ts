/** HTML of the generated site. Pure: a page's text follows from its number. */

export interface SitePage {
  /** Determines words, title and description. */
  readonly number: number;
  readonly url: string;
  /** Default: a unique one; null: none. */
  readonly title?: string | null;
  readonly description?: string | null;
  readonly h1s?: number;
  readonly canonical?: string;
  readonly robots?: string;
  readonly alternates?: readonly { readonly lang: string; readonly url: string }[];
  readonly links?: readonly string[];
  /** Default 320. */
  readonly words?: number;
  /** Bytes of a comment. */
  readonly padding?: number;
}

const SYLLABLES = [
  'ba',
  'de',
  'fi',
  'go',
  'lu',
  'ma',
  'ne',
  'pi',
  'ro',
  'su',
  'ta',
  've',
  'wi',
  'xo',
  'yu',
  'za',
];

function wordOf(number: number): string {
  let rest = number;
  let word = '';
  for (let syllable = 0; syllable < 4; syllable += 1) {
    word += SYLLABLES[rest % SYLLABLES.length]!;
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return word;
}

export function titleOf(number: number): string {
  return `All about ${wordOf(number)}, part ${number}`;
}

export function descriptionOf(number: number): string {
  return `What there is to know about ${wordOf(number)}, collected in part ${number} of this site for whoever looks for it.`;
}

export function renderPage(page: SitePage): string {
  const { number, url, h1s = 1, words = 320, padding = 0, alternates = [], links = [] } = page;
  const title = page.title === undefined ? titleOf(number) : page.title;
  const description = page.description === undefined ? descriptionOf(number) : page.description;
  const head = [
    title === null ? '' : `<title>${title}</title>`,
    description === null ? '' : `<meta name="description" content="${description}">`,
    page.robots === undefined ? '' : `<meta name="robots" content="${page.robots}">`,
    `<link rel="canonical" href="${page.canonical ?? url}">`,
    ...alternates.map(({ lang, url: href }) => `<link rel="alternate" hreflang="${lang}" href="${href}">`),
  ].filter((line) => line !== '');
  const body = [
    ...Array.from(
      { length: h1s },
      (_, place) => `<h1>Part ${number}${place > 0 ? ` again ${place}` : ''}</h1>`,
    ),
    words === 0
      ? ''
      : `<p>${Array.from({ length: words }, (_, place) => wordOf(number * 131 + place)).join(' ')}</p>`,
    ...links.map((href) => `<a href="${href}">To ${href.slice(0, 60)}</a>`),
    padding === 0 ? '' : `<!--${'x'.repeat(padding)}-->`,
  ].filter((line) => line !== '');
  return `<!doctype html><html lang="en"><head>${head.join('')}</head><body>${body.join('\n')}</body></html>`;
}
