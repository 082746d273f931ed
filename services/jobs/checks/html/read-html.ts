import { decodeReferences, scanTags } from './scan-tags.js';

/** What checks look at in a page: plain data, each list bounded. Addresses are as written, without white space at their ends. */
export interface HtmlPage {
  readonly lang: string | null;
  /** Of the first title element. */
  readonly title: string | null;
  readonly titles: number;
  /** Contents of `meta` by name in lower case; of several of one name all. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  readonly canonicals: readonly string[];
  readonly alternates: readonly { readonly lang: string; readonly href: string }[];
  readonly icons: readonly string[];
  /** Texts of JSON-LD. */
  readonly jsonLd: readonly string[];
  /** Scripts and style sheets. */
  readonly assets: readonly string[];
  /** Whatever is loaded with the page over plain http. */
  readonly insecure: readonly string[];
}

const MOST = 50;
const MOST_ALTERNATES = 200;
const LONGEST_URL = 2_048;
const LONGEST_TEXT = 1_000;
const LONGEST_JSON = 200_000;

/** @param html of any length; reading takes time in proportion to it. */
export function readHtml(html: string): HtmlPage {
  const metas = new Map<string, string[]>();
  const lists = {
    canonicals: [] as string[],
    icons: [] as string[],
    jsonLd: [] as string[],
    assets: [] as string[],
    insecure: [] as string[],
  };
  const alternates: { lang: string; href: string }[] = [];
  let lang: string | null = null;
  let title: string | null = null;
  let titles = 0;
  /** Titles of drawings stand in the body. */
  let inHead = true;
  let inside: 'title' | 'json' | null = null;

  const add = (list: keyof typeof lists, text: string | undefined, longest = LONGEST_URL) => {
    const own = lists[list];
    if (text !== undefined && text.trim() !== '' && text.length <= longest && own.length < MOST)
      own.push(text.trim());
  };
  const addLoaded = (url: string | undefined) => {
    if (url?.trim().toLowerCase().startsWith('http://')) add('insecure', url);
  };

  function onLink(attributes: ReadonlyMap<string, string>): void {
    const rel = new Set((attributes.get('rel') ?? '').toLowerCase().slice(0, LONGEST_TEXT).split(/\s+/));
    const href = attributes.get('href');
    if (rel.has('canonical')) add('canonicals', href);
    if (rel.has('icon')) add('icons', href);
    if (rel.has('stylesheet')) {
      add('assets', href);
      addLoaded(href);
    }
    const language = attributes.get('hreflang');
    if (rel.has('alternate') && language !== undefined && alternates.length < MOST_ALTERNATES)
      alternates.push({
        lang: language.trim().slice(0, 100),
        href: (href ?? '').trim().slice(0, LONGEST_URL),
      });
  }

  scanTags(html, {
    onOpenTag(name, attributes) {
      if (name === 'html') lang ??= attributes.get('lang')?.trim().slice(0, 100) ?? null;
      else if (name === 'body' || name === 'svg') inHead = false;
      else if (name === 'title') {
        if (!inHead) return;
        titles += 1;
        inside = 'title';
      } else if (name === 'meta') {
        const key = attributes.get('name')?.trim().toLowerCase().slice(0, 100);
        if (key === undefined || (metas.size >= MOST && !metas.has(key))) return;
        const own = metas.get(key) ?? [];
        metas.set(key, own);
        if (own.length < MOST) own.push((attributes.get('content') ?? '').trim().slice(0, LONGEST_TEXT));
      } else if (name === 'link') onLink(attributes);
      else if (name === 'script') {
        const type = attributes.get('type')?.trim().toLowerCase();
        if (type === 'application/ld+json') inside = 'json';
        add('assets', attributes.get('src'));
        addLoaded(attributes.get('src'));
      } else if (
        name === 'img' ||
        name === 'iframe' ||
        name === 'source' ||
        name === 'video' ||
        name === 'audio'
      )
        addLoaded(attributes.get('src'));
    },
    onText(text) {
      if (inside === 'title') title ??= decodeReferences(text.slice(0, LONGEST_TEXT)).trim();
      else if (inside === 'json') add('jsonLd', text, LONGEST_JSON);
      inside = null;
    },
    onCloseTag() {
      inside = null;
    },
  });
  return { lang, title, titles, metas, alternates, ...lists };
}
