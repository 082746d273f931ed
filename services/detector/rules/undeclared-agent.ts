import { byName, samplesOf } from './by-name.js';
import { round, span } from './figures.js';
import { AT_ONCE, type Finding, type Rule } from './rule.js';
import { isMoreThanUsual } from './unwelcome.js';

/** An operator of AI whose agents come with the user agent of a browser. One alert an operator. */
export const undeclaredAgent: Rule = {
  type: 'undeclared_agent',
  persistence: AT_ONCE,
  inhibitedBy: [],
  find(window, website) {
    const operators = byName(
      window.counts.byBot,
      ({ operator }) => operator,
      ({ verification }) => verification === 'undeclared',
    );
    return operators.flatMap((agents): Finding[] => {
      const { isMore, usual } = isMoreThanUsual('undeclared', agents.name, agents.requests, window, website);
      if (!isMore) return [];
      const who = agents.name === '' ? 'Undeclared agents' : `Undeclared agents of ${agents.name}`;
      return [
        {
          subject: agents.name,
          severity: 'info',
          message: `${who} made ${agents.requests} requests in ${span(window.end - window.start)}.`,
          details: {
            operator: agents.name,
            current_value: agents.requests,
            baseline_value: round(usual),
            rejected: agents.rejected,
            ...samplesOf(agents),
          },
        },
      ];
    });
  },
};
