import type { AnalyticsPage } from '../../../shared/reads/analytics/analytics-measures.js';
import type { Sender } from '../../../shared/reads/analytics/session-senders.js';
import { normalPath } from '../../../shared/urls/normal-spelling.js';
import { slashTwin } from '../../../shared/urls/path-of-address.js';
import type { LandingFigures, PathViews } from './analytics-source.js';

type Mutable<Row> = { -readonly [Name in keyof Row]: Row[Name] };

/**
 * Sessions and views of a day, side by side by path as logs have it. A session that began on a path that nobody viewed counts for its form with or
 * without a slash at the end, where that was viewed: the two reports need not write it alike. What is no path (a session without a view,
 * the row of all that the service does not tell apart) is left out.
 */
export function foldPages(
  landings: readonly LandingFigures[],
  views: readonly PathViews[],
  senderOf: (source: string, medium: string) => Sender,
): AnalyticsPage[] {
  const pages = new Map<string, Mutable<AnalyticsPage>>();
  function pageOf(path: string): Mutable<AnalyticsPage> {
    const held = pages.get(path) ?? {
      ...{ path, sessions: 0, engagedSessions: 0, keyEvents: 0, revenue: 0, pageviews: 0 },
      ...{ activeUsers: 0, engagementSecs: 0, aiSessions: 0, searchSessions: 0 },
    };
    pages.set(path, held);
    return held;
  }
  for (const view of views) {
    const path = loggedPathOf(view.path);
    if (path === null) continue;
    const page = pageOf(path);
    page.pageviews += view.pageviews;
    page.activeUsers += view.activeUsers;
    page.engagementSecs += view.engagementSecs;
  }
  const viewed = new Set(pages.keys());
  for (const landing of landings) {
    const told = loggedPathOf(landing.path);
    if (told === null) continue;
    const twin = slashTwin(told);
    const page = pageOf(twin !== null && !viewed.has(told) && viewed.has(twin) ? twin : told);
    const { aiOperator, isSearch } = senderOf(landing.source, landing.medium);
    page.sessions += landing.sessions;
    page.engagedSessions += landing.engagedSessions;
    page.keyEvents += landing.keyEvents;
    page.revenue += landing.revenue;
    if (aiOperator !== '') page.aiSessions += landing.sessions;
    if (isSearch) page.searchSessions += landing.sessions;
  }
  return [...pages.values()];
}

/** null: it is no path. */
function loggedPathOf(told: string): string | null {
  if (!told.startsWith('/')) return null;
  const end = told.search(/[?#]/);
  return normalPath(end < 0 ? told : told.slice(0, end));
}
