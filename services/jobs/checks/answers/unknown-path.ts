import { defineCheck, fail, pass, warn } from '../facts/check.js';
import { evidenceOf, notAnswered } from '../facts/retrievals.js';

export const unknownPath = defineCheck({
  id: 'unknown_path',
  title: 'Unknown pages are answered 404',
  category: 'answers',
  weight: 6,
  needs: ['madeUp'],
  judge({ madeUp }) {
    const { outcome, redirects, status } = madeUp;
    switch (outcome) {
      case 'missing':
        return pass(`A path that does not exist is answered with status ${status}.`, evidenceOf(madeUp));
      case 'server_error':
        return fail(
          'A path that does not exist is answered with a server error. Search engines retry it and crawl more slowly.',
          evidenceOf(madeUp),
        );
      case 'ok':
      case 'partial':
        return redirects.length > 0
          ? fail(
              'A path that does not exist redirects to another page (a soft 404). Search engines keep removed pages, and fetch them without end.',
              evidenceOf(madeUp),
            )
          : fail(
              'A path that does not exist is answered like a page (a soft 404). Search engines may list any address, and fetch it without end.',
              evidenceOf(madeUp),
            );
      case 'http_error':
        return warn(
          `A path that does not exist is answered with status ${status}. It should be 404 or 410.`,
          evidenceOf(madeUp),
        );
      default:
        return notAnswered('A path that does not exist', madeUp);
    }
  },
});
