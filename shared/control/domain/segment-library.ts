import type { SegmentRule } from './model.js';

/** Start segments that suit most websites (spec §4.7): fixed, in this order. */

const prefixes = (...values: string[]) => values.map((value): SegmentRule => ({ type: 'prefix', value }));
/** Rules are applied to the query string with a leading `&`, so `&page=` matches the parameter at any position. */
const parameters = (...names: string[]) =>
  names.map((name): SegmentRule => ({ type: 'query', value: `&${name}=` }));

export const segmentLibrary: readonly { readonly name: string; readonly rules: readonly SegmentRule[] }[] = [
  {
    name: 'Blog',
    rules: [...prefixes('/blog', '/news', '/magazine', '/journal'), { type: 'contains', value: '/blog/' }],
  },
  {
    name: 'Products',
    rules: [
      ...prefixes('/product/', '/products/', '/p/', '/item/', '/shop/'),
      { type: 'contains', value: '/products/' },
    ],
  },
  {
    name: 'Categories',
    rules: [
      ...prefixes('/category/', '/categories/', '/c/', '/collections/', '/tag/', '/topics/'),
      { type: 'contains', value: '/category/' },
    ],
  },
  {
    name: 'Guides & help',
    rules: prefixes('/guide', '/help', '/docs', '/faq', '/support', '/how-to', '/tutorial', '/learn'),
  },
  {
    name: 'Pagination',
    rules: [
      { type: 'regex', value: '/(page|p|seite)[/-]?[0-9]+(/|$)' },
      ...parameters('page', 'p', 'paged', 'offset', 'start'),
    ],
  },
  { name: 'Parameter URLs', rules: [{ type: 'query', value: '=' }] },
  {
    name: 'Search results',
    rules: [
      ...prefixes('/search', '/suche', '/catalogsearch'),
      ...parameters('q', 's', 'query', 'search', 'keyword'),
    ],
  },
  {
    name: 'Account & checkout',
    rules: prefixes(
      '/account',
      '/my-account',
      '/login',
      '/signin',
      '/register',
      '/cart',
      '/basket',
      '/checkout',
      '/order',
      '/wishlist',
    ),
  },
];
