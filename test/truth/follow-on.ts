import type { StoredRequest } from '../harness/stored-requests.js';
import { group, inClass, isHuman, type Rows } from './counting.js';

/** The next pages of visitors, computed visit by visit. */

const PAGES = ['html', 'htm', 'xhtml', 'php', 'asp', 'aspx', 'jsp'];
const HALF_HOUR = 30 * 60_000;
const MOST_VIEWS = 1_000;
const MOST_VISITS = 50;

export const isPageRequest = (row: StoredRequest) => PAGES.includes(row.file_type);
export const isServed = (row: StoredRequest) => inClass(2)(row) || row.status === 304;
const isHumanPageRequest = (row: StoredRequest) =>
  isHuman(row) && ['GET', ''].includes(row.method) && isPageRequest(row);
/** Requests that can be visits of people. */
export const isHumanVisit = (row: StoredRequest) => isHumanPageRequest(row) && inClass(2)(row);
const isAiLanding = (row: StoredRequest) => isHumanPageRequest(row) && row.ai_operator !== '';
/** Requests that can be visits. */
export const isAiVisit = (row: StoredRequest) => isAiLanding(row) && inClass(2)(row);
export const isAiError = (row: StoredRequest) => isAiLanding(row) && (inClass(4)(row) || inClass(5)(row));
const slotOf = (row: StoredRequest) => Math.floor(row.timestamp / HALF_HOUR);

/**
 * The first request of each visit, which is a client, a page and a half hour.
 * @param landings visits, or errors
 */
export function visitsIn(landings: Rows): StoredRequest[] {
  const visits = group(landings, (row) =>
    JSON.stringify([row.client_ip, row.user_agent, row.path, slotOf(row)]),
  );
  return [...visits.values()].map((rows) =>
    rows.reduce((first, row) => (row.timestamp < first.timestamp ? row : first)),
  );
}

export interface NextPages {
  judged: number;
  bounced: number;
  /** Addresses by the page that they opened. */
  next: Map<string, Set<string>>;
}

/**
 * The next pages, by the page of the visits.
 * @param visits from `visitsIn`
 * @param all rows of the website, not filtered like the visits
 */
export function followOn(visits: Rows, all: Rows): Map<string, NextPages> {
  const viewsOf = group(
    all.filter((row) => isHumanPageRequest(row) && isServed(row)),
    (row) => row.client_ip,
  );
  const placeOf = (row: StoredRequest) => `${row.client_ip} ${slotOf(row)}`;
  const visitsOf = group(visits, placeOf);
  const pages = new Map<string, NextPages>();
  for (const visit of visits) {
    if (visitsOf.get(placeOf(visit))!.length > MOST_VISITS) continue;
    const views = viewsOf.get(visit.client_ip) ?? [];
    const near = views.filter((view) => [0, 1].includes(slotOf(view) - slotOf(visit)));
    if (near.length > MOST_VIEWS) continue;
    const opened = views.filter(
      (view) =>
        view.timestamp > visit.timestamp &&
        view.timestamp <= visit.timestamp + HALF_HOUR &&
        view.path !== visit.path,
    );
    const page = pages.get(visit.path) ?? { judged: 0, bounced: 0, next: new Map() };
    pages.set(visit.path, page);
    page.judged += 1;
    if (opened.length === 0) page.bounced += 1;
    for (const { path, client_ip } of opened)
      page.next.set(path, (page.next.get(path) ?? new Set()).add(client_ip));
  }
  return pages;
}

/** The three with most addresses. */
export function topNext({ next }: NextPages): { path: string; visitors: number }[] {
  return [...next]
    .map(([path, addresses]) => ({ path, visitors: addresses.size }))
    .sort((a, b) => b.visitors - a.visitors || Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
    .slice(0, 3);
}
