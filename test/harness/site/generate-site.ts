import { DISALLOWED, faultyPages, type SiteAnswer } from './faulty-pages.js';
import type { SeededFault } from './seeded-fault.js';
import { renderPage } from './site-page.js';
import { answerTrap, trapLinks } from './traps.js';

/** A generated website: equal options give the same site. */

export interface SiteOptions {
  /** `https://shop.example` */
  readonly origin: string;
  /** Number of sound pages. */
  readonly pages: number;
  /** Links of a sound page; default 12, at least 11. */
  readonly linksPerPage?: number;
  /** How often each fault is seeded; default 0. */
  readonly perFault?: number;
  readonly slowMs?: number;
  /** Sound pages that the sitemap lists and no page links to; default 0. */
  readonly orphans?: number;
  /** Whether the home page links to traps; default false. */
  readonly traps?: boolean;
  readonly crawlDelay?: number;
}

export interface GeneratedSite {
  readonly origin: string;
  /** @param place path and query of a request */
  answer(place: string): SiteAnswer;
  /** Described in seeded-fault.ts. */
  readonly faults: readonly SeededFault[];
}

/** Number of pages of the next level that each page links to. */
const CHILDREN = 10;
const html = { 'content-type': 'text/html; charset=utf-8' };

export function generateSite(options: SiteOptions): GeneratedSite {
  const {
    origin,
    pages,
    linksPerPage = 12,
    perFault = 0,
    slowMs = 1_500,
    orphans = 0,
    traps = false,
  } = options;
  const pathOf = (n: number) => (n === 0 ? '/' : `/page-${n}`);
  const carrier = (place: number) => place % pages;
  const faulty = faultyPages({
    ...{ origin, perFault, slowMs },
    soundUrl: (place) => origin + pathOf((place + 1) % pages),
    linkedFrom: (place) => origin + pathOf(carrier(place)),
  });
  const extra = new Map<number, string[]>();
  for (const [place, path] of faulty.linked.entries())
    extra.set(carrier(place), [...(extra.get(carrier(place)) ?? []), path]);

  function linksOf(n: number): string[] {
    const children = Array.from({ length: CHILDREN }, (_, child) => n * CHILDREN + child + 1);
    const others = Array.from(
      { length: Math.max(0, linksPerPage - CHILDREN - 1) },
      (_, place) => (n * 7_919 + place * 104_729 + 1) % pages,
    );
    const paths = ['/', ...[...children.filter((child) => child < pages), ...others].map(pathOf)];
    return [...new Set([...paths, ...(extra.get(n) ?? []), ...(n === 0 && traps ? trapLinks : [])])];
  }

  function soundPage(path: string): SiteAnswer | null {
    const orphan = /^\/orphan-(\d{1,9})$/.exec(path);
    if (orphan !== null && Number(orphan[1]) < orphans) {
      const number = 6_000_000 + Number(orphan[1]);
      return { status: 200, headers: html, body: renderPage({ number, url: origin + path, links: ['/'] }) };
    }
    const found = path === '/' ? 0 : Number(/^\/page-(\d{1,9})$/.exec(path)?.[1] ?? Number.NaN);
    if (!(found < pages)) return null;
    return {
      status: 200,
      headers: html,
      body: renderPage({ number: found, url: origin + path, links: linksOf(found) }),
    };
  }

  function robots(): SiteAnswer {
    const delay = options.crawlDelay === undefined ? '' : `Crawl-delay: ${options.crawlDelay}\n`;
    const body = `User-agent: *\n${delay}Disallow: ${DISALLOWED}\n\nSitemap: ${origin}/sitemap.xml\n`;
    return { status: 200, headers: { 'content-type': 'text/plain' }, body };
  }

  function sitemap(): SiteAnswer {
    const paths = [
      ...Array.from({ length: Math.min(pages, 20_000) }, (_, n) => pathOf(n)),
      ...Array.from({ length: orphans }, (_, n) => `/orphan-${n}`),
      ...faulty.listed,
    ];
    const body = `<urlset>${paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('')}</urlset>`;
    return { status: 200, headers: { 'content-type': 'application/xml' }, body };
  }

  return {
    origin,
    faults: faulty.faults,
    answer(place) {
      if (place === '/robots.txt') return robots();
      if (place === '/sitemap.xml') return sitemap();
      const trap = traps ? answerTrap(origin, place) : null;
      return trap ?? faulty.answers.get(place)?.() ?? soundPage(place) ?? { status: 404 };
    },
  };
}
