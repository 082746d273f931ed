import { defineCheck, fail, pass, warn } from '../facts/check.js';
import { notAnswered, told } from '../facts/retrievals.js';

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
        return pass(`A path that nobody has is answered ${status}.`, told(madeUp));
      case 'server_error':
        return fail(
          'A path that nobody has is answered with a server error. Search engines come back for it and slow down.',
          told(madeUp),
        );
      case 'ok':
      case 'partial':
        return redirects.length > 0
          ? fail(
              'A path that nobody has is led to another page (a soft 404). Search engines keep what is gone, and fetch it for ever.',
              told(madeUp),
            )
          : fail(
              'A path that nobody has is answered as if it were a page (a soft 404). Search engines may list any address, and fetch it for ever.',
              told(madeUp),
            );
      case 'http_error':
        return warn(
          `A path that nobody has is answered ${status}; 404 or 410 says that there is none.`,
          told(madeUp),
        );
      default:
        return notAnswered('A path that nobody has', madeUp);
    }
  },
});
