import type { RecordedAnalytics } from '../../../shared/control/admin/recorded-analytics.js';
import type { createSenders } from '../../../shared/web-analytics/session-senders.js';

/** The figures of one day. */
export interface AnalyticsTally {
  addView(path: string, visitor: number): void;
  addSecs(path: string, secs: number): void;
  addSession(session: CountedSession): void;
  told(day: string): Pick<RecordedAnalytics, 'totals' | 'pages' | 'sources'>;
}

export interface CountedSession {
  readonly landing: string;
  readonly source: string;
  readonly medium: string;
  readonly isEngaged: boolean;
  readonly orders: number;
  readonly revenue: number;
}

interface Sessions {
  sessions: number;
  engagedSessions: number;
  keyEvents: number;
  revenue: number;
}

interface Page extends Sessions {
  pageviews: number;
  engagementSecs: number;
  aiSessions: number;
  searchSessions: number;
  readonly visitors: Set<number>;
}

const noSessions = (): Sessions => ({ sessions: 0, engagedSessions: 0, keyEvents: 0, revenue: 0 });

/** @param senderOf who sent a session, as the sync of web analytics tells it */
export function createTally(senderOf: ReturnType<typeof createSenders>): AnalyticsTally {
  const pages = new Map<string, Page>();
  const sources = new Map<string, Sessions & { source: string; medium: string; aiOperator: string }>();
  const visitors = new Set<number>();

  const pageOf = (path: string) => {
    const known = pages.get(path);
    if (known !== undefined) return known;
    const made: Page = {
      ...noSessions(),
      ...{ pageviews: 0, engagementSecs: 0, aiSessions: 0, searchSessions: 0, visitors: new Set() },
    };
    pages.set(path, made);
    return made;
  };
  const sourceOf = (source: string, medium: string, aiOperator: string) => {
    const key = `${source}\n${medium}`;
    const known = sources.get(key);
    if (known !== undefined) return known;
    const made = { ...noSessions(), source, medium, aiOperator };
    sources.set(key, made);
    return made;
  };

  return {
    addView(path, visitor) {
      const page = pageOf(path);
      page.pageviews += 1;
      page.visitors.add(visitor);
      visitors.add(visitor);
    },
    addSecs(path, secs) {
      pageOf(path).engagementSecs += secs;
    },
    addSession({ landing, source, medium, isEngaged, orders, revenue }) {
      const { aiOperator, isSearch } = senderOf(source, medium);
      const page = pageOf(landing);
      for (const one of [page, sourceOf(source, medium, aiOperator)]) {
        one.sessions += 1;
        one.engagedSessions += isEngaged ? 1 : 0;
        one.keyEvents += orders;
        one.revenue += revenue;
      }
      page.aiSessions += aiOperator === '' ? 0 : 1;
      page.searchSessions += isSearch ? 1 : 0;
    },
    told(day) {
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
