import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';

/** A screen of the console. Adding one means adding a file and a line here. */
export interface Screen {
  /** Path below the console's base; empty: the overview. */
  readonly path: string;
  readonly title: string;
  /** The key after `g` that opens it. */
  readonly key: string;
  readonly component: ComponentType;
  /** Whether it compares figures with another window. */
  readonly compares?: boolean;
}

export const screens: readonly Screen[] = [
  {
    path: '',
    compares: true,
    title: 'Overview',
    key: 'o',
    component: lazy(() => import('./overview/overview.js').then(({ Overview }) => Overview)),
  },
  {
    path: 'ai',
    compares: true,
    title: 'AI',
    key: 'a',
    component: lazy(() => import('./ai/ai.js').then(({ Ai }) => Ai)),
  },
  {
    path: 'search',
    title: 'Search crawlers',
    key: 's',
    component: lazy(() => import('./search/search.js').then(({ Search }) => Search)),
  },
  {
    path: 'pages',
    compares: true,
    title: 'Pages',
    key: 'p',
    component: lazy(() => import('./pages/pages.js').then(({ Pages }) => Pages)),
  },
  {
    path: 'access',
    title: 'Access',
    key: 'b',
    component: lazy(() => import('./access/access.js').then(({ Access }) => Access)),
  },
  {
    path: 'queries',
    title: 'Queries',
    key: 'q',
    component: lazy(() => import('./queries/queries.js').then(({ Queries }) => Queries)),
  },
  {
    path: 'crawl',
    title: 'Site crawl',
    key: 'w',
    component: lazy(() => import('./crawl/crawl.js').then(({ Crawl }) => Crawl)),
  },
  {
    path: 'security',
    title: 'Security',
    key: 'x',
    component: lazy(() => import('./security/security.js').then(({ Security }) => Security)),
  },
  {
    path: 'incidents',
    title: 'Incidents',
    key: 'i',
    component: lazy(() => import('./incidents/incidents.js').then(({ Incidents }) => Incidents)),
  },
  {
    path: 'requests',
    title: 'Requests',
    key: 'r',
    component: lazy(() => import('./requests/requests.js').then(({ Requests }) => Requests)),
  },
  {
    path: 'exports',
    compares: true,
    title: 'Exports',
    key: 'e',
    component: lazy(() => import('./exports/exports.js').then(({ Exports }) => Exports)),
  },
  {
    path: 'settings',
    title: 'Settings',
    key: 't',
    component: lazy(() => import('./settings/settings.js').then(({ Settings }) => Settings)),
  },
];
