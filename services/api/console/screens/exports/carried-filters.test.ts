import { describe, expect, it } from 'vitest';
import type { Address } from '../../address.js';
import { carriedFilters } from './carried-filters.js';
import { exportTypes } from './export-types.js';

const address: Address = {
  screen: 'exports',
  website: null,
  period: '7d',
  compare: 'previous',
  segment: 'seg_1',
  countries: 'DE,AT',
  verified: true,
  filters: { status: '404', bot_family: 'Google', directory: '/blog/' },
  requestFilters: { path: '/product/', is_bot: 'true' },
  rest: {},
};
const typeOf = (name: string) => exportTypes.find((type) => type.name === name)!;

describe('an export', () => {
  it('takes the window and the filters that its type applies, and names the others', () => {
    expect(carriedFilters(address, typeOf('requests'))).toEqual({
      body: { hours: 168, status: '404', path_filter: '/product/', countries: 'DE,AT', filter: 'verified' },
      applied: [
        'the last 7 days',
        'status: 404',
        'path contains: /product/',
        'country: Germany, Austria',
        'bots: verified only',
      ],
      left: ['bot family: Google', 'directory: /blog/', 'bots', 'segment'],
    });
  });

  it('takes the directory and not “verified only” where people are among the rows', () => {
    const { body, left } = carriedFilters(address, typeOf('crawl-budget-urls'));
    expect(body).toMatchObject({ directory: '/blog/' });
    expect(left).toContain('bots: verified only');
  });

  it('takes a window between two times', () => {
    const period = '2026-11-01T00:00:00Z/2026-11-02T00:00:00Z' as const;
    const { body } = carriedFilters({ ...address, period }, typeOf('paths'));
    expect(body).toMatchObject({ start: '2026-11-01T00:00:00Z', end: '2026-11-02T00:00:00Z' });
  });

  it('takes nothing where it has the current state', () => {
    expect(carriedFilters(address, typeOf('sitemap-coverage'))).toMatchObject({
      body: {},
      applied: ['the current state'],
    });
  });
});
