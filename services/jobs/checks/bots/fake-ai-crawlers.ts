import { defineCheck } from '../facts/check.js';
import { judgeClaims } from './claims.js';

export const fakeAiCrawlers = defineCheck({
  id: 'fake_ai_crawlers',
  title: 'Few impostors claim to be AI crawlers',
  category: 'bots',
  weight: 3,
  needs: ['logs'],
  judge: ({ logs: { claims } }) =>
    judgeClaims(
      claims.filter(({ category }) => category === 'ai'),
      'an AI crawler',
      'Who lets AI crawlers in by name lets scrapers in with them, and reports that believe user agents count them as AI interest.',
    ),
});
