import { defineCheck, pass } from '../facts/check.js';
import { advise, isRead, notAnswered, told } from '../facts/retrievals.js';

export const conditionalRequests = defineCheck({
  id: 'conditional_requests',
  title: 'Crawlers need not fetch unchanged pages again',
  category: 'speed',
  weight: 3,
  needs: ['again'],
  judge({ again }) {
    if (again.status === 304)
      return pass('A page that has not changed is answered 304, so that crawl budget is left for others.', {
        ...told(again),
        outcome: 'ok',
      });
    if (!isRead(again)) return notAnswered('The home page, asked again,', again);
    const hasValidator = again.headers.has('etag') || again.headers.has('last-modified');
    if (!hasValidator)
      return advise(
        'The home page comes without ETag and Last-Modified. Crawlers have to load it whole to see that nothing changed.',
        again,
        ['Send ETag or Last-Modified, and answer 304 where it still stands.'],
      );
    return advise(
      'Asked for what changed since, the home page was sent whole a moment later. It may differ each time, or the server does not heed the question.',
      again,
      ['Answer If-None-Match and If-Modified-Since with 304 where nothing changed.'],
    );
  },
});
