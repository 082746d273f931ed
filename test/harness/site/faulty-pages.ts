import type { SeededFault, SiteFinding } from './seeded-fault.js';
import { descriptionOf, renderPage, type SitePage, titleOf } from './site-page.js';

/** Pages with faults, in addition to the sound ones. */

export interface SiteAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Delay before the head. */
  readonly delayMs?: number;
  /** The body continues with single bytes forever. */
  readonly drips?: boolean;
}

export interface FaultyPages {
  /** By path and query. */
  readonly answers: ReadonlyMap<string, () => SiteAnswer>;
  readonly faults: readonly SeededFault[];
  /** Paths that sound pages link to, and that the sitemap lists. */
  readonly linked: readonly string[];
  readonly listed: readonly string[];
}

export const DISALLOWED = '/private/';
const LARGE_BYTES = 1_500_000;

export interface FaultOptions {
  readonly origin: string;
  readonly perFault: number;
  readonly slowMs: number;
  /** The URL of a sound page. */
  readonly soundUrl: (place: number) => string;
  /** The page that links to `linked`, by index. */
  readonly linkedFrom: (place: number) => string;
}

function createBuilder({ origin, slowMs, soundUrl, linkedFrom }: FaultOptions) {
  const answers = new Map<string, () => SiteAnswer>();
  const faults: SeededFault[] = [];
  const linked: string[] = [];
  const listed: string[] = [];
  let number = 1_000_000;

  const at = (path: string) => origin + path;
  const tell = (finding: SiteFinding, path: string) => void faults.push({ finding, url: at(path) });
  const tellLinked = (finding: SiteFinding, path: string) =>
    void faults.push({ finding, url: at(path), linkedFrom: [linkedFrom(linked.indexOf(path))] });
  const link = (path: string) => void linked.push(path);
  const answer = (path: string, given: SiteAnswer) => void answers.set(path, () => given);
  const redirect = (path: string, to: string) => answer(path, { status: 301, headers: { location: to } });

  /** A linked page, sound except for the given changes. */
  function page(path: string, given: Partial<SitePage> = {}, more: Partial<SiteAnswer> = {}): void {
    number += 1;
    const rendered = { number, url: at(path), links: ['/'], ...given };
    answers.set(path, () => ({
      status: 200,
      ...more,
      headers: { 'content-type': 'text/html; charset=utf-8', ...more.headers },
      body: renderPage(rendered),
    }));
  }
  function linkedPage(path: string, given: Partial<SitePage> = {}, more: Partial<SiteAnswer> = {}): void {
    page(path, given, more);
    link(path);
  }

  return {
    ...{ answers, faults, linked, listed, at, tell, tellLinked, link, answer, redirect, page, linkedPage },
    ...{ soundUrl, slowMs },
  };
}

type Builder = ReturnType<typeof createBuilder>;

/** Links to missing pages, or to redirects. */
function seedLinks({ answer, link, redirect, soundUrl, tell, tellLinked }: Builder, k: number): void {
  for (const status of [404, 500]) {
    answer(`/gone-${k}-${status}`, { status });
    link(`/gone-${k}-${status}`);
    tellLinked('broken_links', `/gone-${k}-${status}`);
  }

  redirect(`/moved-${k}`, soundUrl(k));
  link(`/moved-${k}`);
  tellLinked('links_to_redirects', `/moved-${k}`);

  redirect(`/chain-${k}`, `/chain-${k}-b`);
  redirect(`/chain-${k}-b`, soundUrl(k));
  redirect(`/loop-${k}`, `/loop-${k}-b`);
  redirect(`/loop-${k}-b`, `/loop-${k}`);
  for (const path of [`/chain-${k}`, `/loop-${k}`]) {
    link(path);
    tellLinked('links_to_redirects', path);
    tell('redirect_chains', path);
  }
  tell('redirect_chains', `/loop-${k}-b`);
}

function seedCanonicals(
  { answer, at, linkedPage, page, redirect, soundUrl, tell }: Builder,
  k: number,
): void {
  redirect(`/was-${k}`, soundUrl(k));
  answer(`/lost-${k}`, { status: 404 });
  page(`/hidden-${k}`, { robots: 'noindex' });
  tell('noindex_pages', `/hidden-${k}`);
  page(`/copy-${k}`, { canonical: soundUrl(k) });
  for (const target of ['was', 'lost', 'hidden', 'copy']) {
    linkedPage(`/canonical-${k}-${target}`, { canonical: at(`/${target}-${k}`) });
    tell('canonical_issues', `/canonical-${k}-${target}`);
  }
}

function seedBlocked({ linkedPage, tell, tellLinked }: Builder, k: number): void {
  linkedPage(`/noindex-${k}`, { robots: 'noindex, follow' });
  linkedPage(`/noindex-${k}-header`, {}, { headers: { 'x-robots-tag': 'noindex' } });
  for (const end of ['', '-header']) tell('noindex_pages', `/noindex-${k}${end}`);

  linkedPage(`${DISALLOWED}${k}`);
  tellLinked('robots_blocked', `${DISALLOWED}${k}`);
}

function seedContents({ linkedPage, slowMs, tell }: Builder, k: number): void {
  for (const end of ['a', 'b']) {
    linkedPage(`/same-title-${k}-${end}`, { title: titleOf(2_000_000 + k) });
    tell('duplicate_titles', `/same-title-${k}-${end}`);
    linkedPage(`/same-description-${k}-${end}`, { description: descriptionOf(2_000_000 + k) });
    tell('duplicate_descriptions', `/same-description-${k}-${end}`);
  }

  const alone: [SiteFinding, Partial<SitePage>, Partial<SiteAnswer>?][] = [
    ['missing_titles', { title: null }],
    ['missing_descriptions', { description: null }],
    ['long_titles', { title: `${titleOf(3_000_000 + k)} ${'and so on '.repeat(10)}`.trim() }],
    ['missing_h1', { h1s: 0 }],
    ['multiple_h1', { h1s: 3 }],
    ['thin_pages', { words: 0 }],
    ['slow_pages', {}, { delayMs: slowMs }],
    ['large_pages', { padding: LARGE_BYTES }],
  ];
  for (const [finding, given, more] of alone) {
    linkedPage(`/${finding}-${k}`, given, more);
    tell(finding, `/${finding}-${k}`);
  }
}

function seedAlternates({ at, linkedPage, soundUrl, tell }: Builder, k: number): void {
  const pair = ['en', 'de'].map((lang) => ({ lang, url: at(`/pair-${k}-${lang}`) }));
  for (const { lang } of pair) linkedPage(`/pair-${k}-${lang}`, { alternates: pair });
  const self = (path: string, lang: string, url: string) => [
    { lang: 'en', url: at(path) },
    { lang, url },
  ];
  linkedPage(`/unreturned-${k}`, { alternates: self(`/unreturned-${k}`, 'fr', soundUrl(k)) });
  linkedPage(`/alternate-gone-${k}`, { alternates: self(`/alternate-gone-${k}`, 'it', at(`/lost-${k}`)) });
  for (const path of [`/unreturned-${k}`, `/alternate-gone-${k}`]) tell('hreflang_issues', path);
}

/** Pages that the sitemap lists and should not list. */
function seedListed({ answer, listed, page, redirect, soundUrl, tell }: Builder, k: number): void {
  redirect(`/listed-${k}-moved`, soundUrl(k));
  answer(`/listed-${k}-gone`, { status: 404 });
  page(`/listed-${k}-noindex`, { robots: 'noindex' });
  tell('noindex_pages', `/listed-${k}-noindex`);
  page(`${DISALLOWED}listed-${k}`);
  page(`/listed-${k}-copy`, { canonical: soundUrl(k) });
  for (const path of ['moved', 'gone', 'noindex', 'copy']
    .map((end) => `/listed-${k}-${end}`)
    .concat(`${DISALLOWED}listed-${k}`)) {
    listed.push(path);
    tell('sitemap_issues', path);
  }
}

const SEEDS = [seedLinks, seedCanonicals, seedBlocked, seedContents, seedAlternates, seedListed];

export function faultyPages(options: FaultOptions): FaultyPages {
  const builder = createBuilder(options);
  for (let k = 0; k < options.perFault; k += 1) for (const seed of SEEDS) seed(builder, k);
  return builder;
}
