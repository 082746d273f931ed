import type { AnalyticsPage } from '../../../shared/reads/analytics/analytics-measures.js';
import type { Sender } from '../../../shared/reads/analytics/session-senders.js';
import { normalPath } from '../../../shared/urls/normal-spelling.js';
import { slashTwin } from '../../../shared/urls/path-of-address.js';
import type { LandingFigures, PathViews } from './analytics-source.js';

type Mutable<Row> = { -readonly [Name in keyof Row]: Row[Name] };

/**
 * Joins the sessions and views of a day by path, in the form of the logs. The two reports may write the slash at the end differently. So a landing path
 * without views counts for its form with or without the slash, if that form has views. Values that are no paths are left out: sessions without a view, and
 * the service's row for other values.
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
    const loggedPath = loggedPathOf(landing.path);
    if (loggedPath === null) continue;
    const twin = slashTwin(loggedPath);
    const page = pageOf(twin !== null && !viewed.has(loggedPath) && viewed.has(twin) ? twin : loggedPath);
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

/** null: no path. */
function loggedPathOf(loggedPath: string): string | null {
  if (!loggedPath.startsWith('/')) return null;
  const end = loggedPath.search(/[?#]/);
  return normalPath(end < 0 ? loggedPath : loggedPath.slice(0, end));
}
