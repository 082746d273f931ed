import { expect, test } from 'vitest';
import { foldPages } from './fold-pages.js';

const senderOf = (source: string) => ({
  aiOperator: source === 'ai' ? 'OpenAI' : '',
  isSearch: source === 'search',
});
const session = { sessions: 1, engagedSessions: 1, keyEvents: 0, revenue: 2.5 };
const landing = (path: string, source: string) => ({ path, source, medium: '', ...session });
const view = (path: string) => ({ path, pageviews: 10, activeUsers: 5, engagementSecs: 60 });

test('sessions and views of a day are joined by path, in the form of the logs', () => {
  const pages = foldPages(
    [
      landing('/blog', 'ai'),
      landing('/blog', 'search'),
      landing('/b', 'x'),
      landing('(not set)', 'ai'),
      landing('', 'ai'),
      landing('/only?utm_source=x#top', 'search'),
    ],
    [view('/blog/'), view('/b'), view('/b/'), view('/grün b'), view('(other)'), view('/__proto__')],
    senderOf,
  );
  const views = { pageviews: 10, activeUsers: 5, engagementSecs: 60 };
  const none = {
    sessions: 0,
    engagedSessions: 0,
    keyEvents: 0,
    revenue: 0,
    aiSessions: 0,
    searchSessions: 0,
  };
  const one = {
    sessions: 1,
    engagedSessions: 1,
    keyEvents: 0,
    revenue: 2.5,
    aiSessions: 0,
    searchSessions: 0,
  };
  expect(pages).toEqual([
    {
      ...{ path: '/blog/', ...views, sessions: 2, engagedSessions: 2, keyEvents: 0, revenue: 5 },
      ...{ aiSessions: 1, searchSessions: 1 },
    },
    { path: '/b', ...views, ...one },
    { path: '/b/', ...views, ...none },
    { path: '/gr%C3%BCn%20b', ...views, ...none },
    { path: '/__proto__', ...views, ...none },
    { path: '/only', pageviews: 0, activeUsers: 0, engagementSecs: 0, ...one, searchSessions: 1 },
  ]);
});
