import { changePct } from '../../../../shared/reads/answer/figures.js';
import { defineCheck, fail, pass, unknown, warn } from '../facts/check.js';
import { unlessProved } from '../facts/unproved-crawl.js';

/** Requests in the week before. Below it, a change may be chance. */
const LEAST_BEFORE = 100;
const WARN_PCT = -30;
const FAIL_PCT = -60;

export const crawlerDrop = defineCheck({
  id: 'crawler_drop',
  title: 'Search crawlers come as often as before',
  category: 'answers',
  weight: 8,
  needs: ['logs'],
  judge({ logs: { crawl } }) {
    const open = unlessProved(crawl);
    if (open !== null) return open;
    const { requests, requestsBefore: before } = crawl;
    const change = changePct(requests, before);
    if (before === null || change === null || before < LEAST_BEFORE)
      return unknown(
        `There is no week to compare with: the logs do not go back two weeks, or fewer than ${LEAST_BEFORE} requests came in the first.`,
        {
          crawler_requests: requests,
          crawler_requests_before: before,
        },
      );
    const seen = { crawler_requests: requests, crawler_requests_before: before, change_pct: change };
    const note = `Search crawlers made ${requests} requests in seven days, after ${before} in the seven before.`;
    const why =
      'Less crawling often precedes fewer pages in the index. Look for errors, slow responses and rules that block crawlers.';
    if (change <= FAIL_PCT) return fail(`${note} ${why}`, seen);
    return change <= WARN_PCT ? warn(`${note} ${why}`, seen) : pass(note, seen);
  },
});
