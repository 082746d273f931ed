import { expect, test } from 'vitest';
import { createSitemapParser } from '../../shared/sitemaps/parse-sitemap.js';
import { readDate } from '../../shared/sitemaps/read-date.js';
import { classifyUrl } from '../../shared/sitemaps/site-url.js';
import { SitemapError } from '../../shared/sitemaps/sitemap-error.js';
import { type PeerCase, peerCases, peerDates } from './crawler-commons-cases.js';

const dateOf = (text: string | null) => (text === null ? null : Date.parse(text));

/** The URLs of the website that the file lists; what comes before the place where it breaks is listed too. */
function read(document: string, dates: boolean) {
  const urls: unknown[] = [];
  const sitemaps: string[] = [];
  let refused = false;
  const parser = createSitemapParser({
    onUrl: ({ loc, lastmod }) => {
      if (classifyUrl(loc, 'shop.example').kind === 'own') urls.push(dates ? [loc, lastmod] : loc);
    },
    onSitemap: (loc) => sitemaps.push(loc),
  });
  try {
    // The reader of files drops the byte order mark.
    parser.write(document.replace(/^\ufeff/, ''));
    parser.end();
  } catch (error) {
    if (!(error instanceof SitemapError)) throw error;
    refused = true;
  }
  return { urls, sitemaps, refused };
}

function passes({ document, urls = [], sitemaps = [], refused = false }: PeerCase): boolean {
  const dates = urls.some((url) => typeof url !== 'string');
  const found = read(document, dates);
  if (refused) return found.refused;
  const expected = urls.map((url) => (typeof url === 'string' ? url : [url[0], dateOf(url[1])]));
  return JSON.stringify([found.urls, found.sitemaps]) === JSON.stringify([expected, sitemaps]);
}

test('of the 37 files of crawler-commons 32 are read as there, and five differ for a reason', () => {
  const names = Object.keys(peerCases);
  const failed = names.filter((name) => !passes(peerCases[name]!));
  expect(failed).toEqual(names.filter((name) => peerCases[name]!.differs !== undefined));
  expect([names.length, failed.length]).toEqual([37, 5]);
});

test('all 18 of its dates are read as there', () => {
  const read = Object.entries(peerDates).map(([text]) => [text, readDate(text)]);
  expect(read).toEqual(Object.entries(peerDates).map(([text, date]) => [text, dateOf(date)]));
  expect(read).toHaveLength(18);
});
