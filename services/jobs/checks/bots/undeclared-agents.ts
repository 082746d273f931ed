import { percentOf } from '../../../../shared/reads/answer/figures.js';
import { defineCheck, pass, unknown, warn } from '../facts/check.js';

const LEAST = 200;
const WARN_PCT = 5;

export const undeclaredAgents = defineCheck({
  id: 'undeclared_agents',
  title: 'AI agents identify themselves',
  category: 'bots',
  weight: 2,
  needs: ['logs'],
  judge({ logs: { requests, undeclaredRequests } }) {
    if (requests < LEAST)
      return unknown(`The logs of seven days have fewer than ${LEAST} requests.`, { requests });
    const share = percentOf(undeclaredRequests, requests);
    const seen = { requests, undeclared_requests: undeclaredRequests, undeclared_pct: share };
    const note = `${share} % of the requests of seven days have a browser’s user agent but do not come from people.`;
    if (share < WARN_PCT) return pass(note, seen);
    return warn(`${note} Analytics that rely on user agents count them as people.`, seen);
  },
});
