import type { createSenders } from '../../../shared/reads/analytics/session-senders.js';
import type { RecordedAnalytics } from '../../admin/server/recorded-analytics.js';

interface Sessions {
  sessions: number;
  engagedSessions: number;
  keyEvents: number;
  revenue: number;
}

const noSessions: Sessions = { sessions: 0, engagedSessions: 0, keyEvents: 0, revenue: 0 };
const noViews = { pageviews: 0, engagementSecs: 0, aiSessions: 0, searchSessions: 0 };
type Page = Sessions & typeof noViews & { visitors: Set<number> };

/** The figures of one day. @param senderOf returns the source of a session, as the sync of web analytics classifies it */
export function createTally(day: string, senderOf: ReturnType<typeof createSenders>) {
  const pages = new Map<string, Page>();
  const sources = new Map<string, Sessions & { source: string; medium: string; aiOperator: string }>();
  const visitors = new Set<number>();

  const pageOf = (path: string) => {
    const page = pages.get(path) ?? { ...noSessions, ...noViews, visitors: new Set<number>() };
    pages.set(path, page);
    return page;
  };

  return {
    pageOf,
    addView(path: string, visitor: number) {
      const page = pageOf(path);
      page.pageviews += 1;
      page.visitors.add(visitor);
      visitors.add(visitor);
    },
    addSession(landing: string, sender: { source: string; medium: string }, session: Sessions) {
      const { aiOperator, isSearch } = senderOf(sender.source, sender.medium);
      const key = `${sender.source}\n${sender.medium}`;
      const source = sources.get(key) ?? { ...noSessions, ...sender, aiOperator };
      sources.set(key, source);
      const page = pageOf(landing);
      for (const one of [page, source])
        for (const name of Object.keys(noSessions) as (keyof Sessions)[]) one[name] += session[name];
      page.aiSessions += aiOperator === '' ? 0 : 1;
      page.searchSessions += isSearch ? 1 : 0;
    },
    counted(): Pick<RecordedAnalytics, 'totals' | 'pages' | 'sources'> {
      const all = [...pages].map(([path, { visitors: seen, ...page }]) => ({
        ...{ path, ...page, activeUsers: seen.size },
      }));
      const sum = (of: keyof Sessions | 'pageviews' | 'engagementSecs') =>
        all.reduce((total, page) => total + page[of], 0);
      return {
        totals: {
          ...{ day, sessions: sum('sessions'), engagedSessions: sum('engagedSessions') },
          ...{ keyEvents: sum('keyEvents'), revenue: sum('revenue'), pageviews: sum('pageviews') },
          ...{ engagementSecs: sum('engagementSecs'), activeUsers: visitors.size },
          ...{ currency: 'EUR', timeZone: 'UTC' },
        },
        pages: all,
        sources: [...sources.values()],
      };
    },
  };
}
