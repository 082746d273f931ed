import { defineCheck, pass } from '../facts/check.js';
import { advise, evidenceOf, isRead, notAnswered } from '../facts/retrievals.js';

export const conditionalRequests = defineCheck({
  id: 'conditional_requests',
  title: 'Crawlers need not fetch unchanged pages again',
  category: 'speed',
  weight: 3,
  needs: ['again'],
  judge({ again }) {
    if (again.status === 304)
      return pass('Requests for an unchanged page are answered 304, which saves crawl budget.', {
        ...evidenceOf(again),
        outcome: 'ok',
      });
    if (!isRead(again)) return notAnswered('The second request for the home page', again);
    const hasValidator = again.headers.has('etag') || again.headers.has('last-modified');
    if (!hasValidator)
      return advise(
        'The home page comes without ETag and Last-Modified. Crawlers must load it completely to see that it did not change.',
        again,
        ['Send ETag or Last-Modified, and answer 304 while they are current.'],
      );
    return advise(
      'A conditional request a moment later returned the whole home page. The page may differ each time, or the server ignores the condition.',
      again,
      ['Answer If-None-Match and If-Modified-Since with 304 if the page did not change.'],
    );
  },
});
