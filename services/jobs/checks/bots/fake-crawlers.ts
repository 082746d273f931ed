import { defineCheck } from '../facts/check.js';
import { judgeClaims } from './claims.js';

export const fakeCrawlers = defineCheck({
  id: 'fake_crawlers',
  title: 'Few impostors claim to be search crawlers',
  category: 'bots',
  weight: 4,
  needs: ['logs'],
  judge: ({ logs: { claims } }) =>
    judgeClaims(
      claims.filter(({ category }) => category === 'search'),
      'a search crawler',
      'Impostors take capacity, and reports that trust user agents count them as crawls.',
    ),
});
