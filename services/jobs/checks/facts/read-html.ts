import type { Steps } from '../../../../shared/pacing/turns.js';
import { type Attributes, parseHtml } from '../../html/parse-html.js';

/** The facts of a page that checks need: plain data with bounded lists. Addresses are as written, trimmed. */
export interface HtmlPage {
  readonly lang: string | null;
  /** Text of the first title element. */
  readonly title: string | null;
  readonly titles: number;
  /** Contents of `meta` by name in lower case; all contents of a repeated name. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  readonly canonicals: readonly string[];
  readonly alternates: readonly { readonly lang: string; readonly href: string }[];
  readonly icons: readonly string[];
  /** Texts of JSON-LD. */
  readonly jsonLd: readonly string[];
  /** Scripts and style sheets. */
  readonly assets: readonly string[];
  /** Addresses of resources that the page loads over plain http. */
  readonly insecure: readonly string[];
}

/** Elements whose content a browser with scripts does not load. */
const HIDDEN = new Set(['noscript', 'template', 'iframe']);
const LOADING = new Set(['img', 'iframe', 'source', 'video', 'audio']);

const MOST = 50;
const MOST_ALTERNATES = 200;
const LONGEST_URL = 2_048;
const LONGEST_TEXT = 1_000;
const LONGEST_JSON = 200_000;

/** @param html of any length. The time of reading is linear in it */
export function* readHtml(html: string): Steps<HtmlPage> {
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
  /** The body may have other titles, in SVG images. */
  let inHead = true;
  let hidden = 0;
  /** The kind of text that is collected. */
  let reading: 'title' | 'json' | null = null;
  let text = '';

  const add = (list: keyof typeof lists, text: string | undefined, longest = LONGEST_URL) => {
    const own = lists[list];
    if (text !== undefined && text.trim() !== '' && text.length <= longest && own.length < MOST)
      own.push(text.trim());
  };
  const addLoaded = (url: string | undefined) => {
    if (url?.trim().toLowerCase().startsWith('http://')) add('insecure', url);
  };

  function onLink({ rel: relation = '', href, hreflang }: Attributes): void {
    const rel = new Set(relation.slice(0, LONGEST_TEXT).toLowerCase().split(/\s+/));
    if (rel.has('canonical')) add('canonicals', href);
    if (rel.has('icon')) add('icons', href);
    if (rel.has('stylesheet')) {
      add('assets', href);
      addLoaded(href);
    }
    if (rel.has('alternate') && hreflang !== undefined && alternates.length < MOST_ALTERNATES)
      alternates.push({
        lang: hreflang.trim().slice(0, 100),
        href: (href ?? '').trim().slice(0, LONGEST_URL),
      });
  }

  function onMeta({ name, content = '' }: Attributes): void {
    const key = name?.trim().toLowerCase().slice(0, 100);
    if (key === undefined || (metas.size >= MOST && !metas.has(key))) return;
    const own = metas.get(key) ?? [];
    metas.set(key, own);
    if (own.length < MOST) own.push(content.trim().slice(0, LONGEST_TEXT));
  }

  function read(kind: 'title' | 'json'): void {
    reading = kind;
    text = '';
  }

  yield* parseHtml(html, {
    onOpen(name, attributes) {
      if (hidden === 0 && LOADING.has(name)) addLoaded(attributes.src);
      if (HIDDEN.has(name)) hidden += 1;
      if (hidden > 0) return;
      if (name === 'html') lang ??= attributes.lang?.trim().slice(0, 100) ?? null;
      else if (name === 'body' || name === 'svg') inHead = false;
      else if (name === 'title' && inHead) {
        titles += 1;
        read('title');
      } else if (name === 'meta') onMeta(attributes);
      else if (name === 'link') onLink(attributes);
      else if (name === 'script') {
        if (attributes.type?.trim().toLowerCase() === 'application/ld+json') read('json');
        add('assets', attributes.src);
        addLoaded(attributes.src);
      }
    },
    onText(piece) {
      if (reading !== null && text.length <= LONGEST_JSON) text += piece;
    },
    onClose(name) {
      if (HIDDEN.has(name)) hidden -= 1;
      if (reading === 'title') title ??= text.slice(0, LONGEST_TEXT).trim();
      else if (reading === 'json') add('jsonLd', text, LONGEST_JSON);
      reading = null;
    },
  });
  return { lang, title, titles, metas, alternates, ...lists };
}
