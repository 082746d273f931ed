import { defineCheck, fail, pass } from '../facts/check.js';
import { evidenceOf, isRead, notAnswered, whyNot } from '../facts/retrievals.js';

export const homeAnswers = defineCheck({
  id: 'home_answers',
  title: 'The home page answers',
  category: 'answers',
  weight: 10,
  needs: ['home'],
  judge({ home }) {
    if (isRead(home)) return pass('The home page answers.', evidenceOf(home));
    const { outcome } = home;
    if (outcome === 'missing' || outcome === 'http_error' || outcome === 'server_error')
      return fail(`${whyNot('The home page', home)} Crawlers begin here.`, evidenceOf(home));
    return notAnswered('The home page', home);
  },
});
