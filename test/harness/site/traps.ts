import { gzipSync } from 'node:zlib';
import type { SiteAnswer } from './faulty-pages.js';
import { renderPage } from './site-page.js';

/** Traps for a crawler: endless pages, and answers that are not pages. */

const html = { 'content-type': 'text/html' };
const BOMB = 100_000_000;

/** Paths that the home page links to. */
export const trapLinks: readonly string[] = [
  ...['/calendar/2026/1', '/list?session=1', '/endless/', '/bomb', '/huge', '/drip', '/bad'],
  ...['/file.pdf', '/latin', '/cut', '/metadata', 'https://other.example/', 'mailto:a@b.example'],
];

/** @returns null if it is no trap */
export function answerTrap(origin: string, place: string): SiteAnswer | null {
  const page = (number: number, links: readonly string[]): SiteAnswer => ({
    status: 200,
    headers: html,
    body: renderPage({ number, url: origin + place, links }),
  });
  const day = /^\/calendar\/(\d{4})\/(\d{1,6})$/.exec(place);
  if (day !== null) return page(4_000_000 + Number(day[2]), [`/calendar/${day[1]}/${Number(day[2]) + 1}`]);
  const session = /^\/list(?:\?session=(\d{1,9}))?$/.exec(place);
  if (session !== null) return page(5_000_000, [`/list?session=${Number(session[1] ?? 0) + 1}`]);
  if (/^\/endless\/(?:more\/)*$/.test(place)) return page(5_000_001 + place.length, ['more/']);
  switch (place) {
    case '/bomb':
      return { status: 200, headers: { ...html, 'content-encoding': 'gzip' }, body: bomb() };
    case '/huge':
      return { status: 200, headers: html, body: `<title>Huge</title><p>${'word '.repeat(1_000_000)}</p>` };
    case '/drip':
      return { status: 200, headers: html, body: '<title>Drip</title>', drips: true };
    case '/bad':
      return {
        status: 200,
        headers: html,
        body: `<title>Bad<title><h1>x<a href='/page-1>${'<div>'.repeat(500)}`,
      };
    case '/file.pdf':
      return { status: 200, headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.7' };
    case '/latin':
      return {
        status: 200,
        headers: { 'content-type': 'text/html; charset=iso-8859-1' },
        body: Buffer.from('<title>Größe</title>', 'latin1'),
      };
    case '/cut':
      return { status: 200, headers: { ...html, 'content-length': '1000000' }, body: '<title>Cut' };
    case '/metadata':
      return { status: 302, headers: { location: 'http://169.254.169.254/latest/' } };
    default:
      return null;
  }
}

let made: Buffer | null = null;
function bomb(): Buffer {
  made ??= gzipSync(Buffer.alloc(BOMB, '<p>'));
  return made;
}
