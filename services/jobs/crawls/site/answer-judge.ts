import { textOfFetchError } from '../../../../shared/fetch/fetch-error.js';
import { isUrl } from '../../../../shared/urls/is-url.js';
import type { KnownPage } from './frontier.js';
import type { CrawlOutcome } from './site-crawl.js';
import { TURNED_AWAY } from './site-robots.js';
import type { Visit } from './visitor.js';

/** Decides from the website's responses when a crawl ends. Pure. */

/** Consecutive 429 or 503 responses, after all waits. */
const MOST_THROTTLED = 10;
/** Consecutive pages without any response. */
const MOST_UNANSWERED = 30;

/**
 * @param isFirstAttempt the home page may end the crawl at its first attempt; a later attempt has passed it
 * @returns a function that checks each page in the order of the numbers: the outcome of the crawl; null: it continues
 */
export function createAnswerJudge(isFirstAttempt: boolean) {
  let unanswered = 0;
  return (page: KnownPage, visit: Visit, isOwn: (url: string) => boolean): CrawlOutcome | null => {
    if (visit.kind === 'disallowed') return null;
    const { status, error, headers } = visit.answer;
    unanswered = status === 0 ? unanswered + 1 : 0;
    const host = new URL(page.url).hostname;
    if (isFirstAttempt && page.number === 0) {
      const end = homeEnds({ status, error, host });
      if (end !== null) return end;
      const location = headers.get('location');
      if (status >= 300 && status < 400 && location !== null && isUrl(location, page.url)) {
        const target = new URL(location, page.url);
        if (!isOwn(target.href)) return failed(`The home page leads to another website: ${target.hostname}.`);
      }
    }
    if (visit.throttledInRow >= MOST_THROTTLED)
      return { outcome: 'blocked', reason: `${host} answered with status ${status} again and again.` };
    return unanswered >= MOST_UNANSWERED ? failed(`${host} stopped answering: it ${textOf(error)}.`) : null;
  };
}

function homeEnds({
  status,
  error,
  host,
}: {
  status: number;
  error: string;
  host: string;
}): CrawlOutcome | null {
  if (TURNED_AWAY.has(status))
    return { outcome: 'blocked', reason: `The home page of ${host} answered with status ${status}.` };
  if (status >= 500) return failed(`The home page of ${host} answered with status ${status}.`);
  return status === 0 ? failed(`${host} ${textOf(error)}.`) : null;
}

const textOf = (error: string) => textOfFetchError(error) ?? 'gave no answer';

const failed = (reason: string): CrawlOutcome => ({ outcome: 'failed', reason });
