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
      'A website that allows AI crawlers by name also allows scrapers, and reports that trust user agents count them as AI interest.',
    ),
});
