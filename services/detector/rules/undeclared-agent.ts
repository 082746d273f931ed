import { byName, type NamedRequests, samplesOf } from './by-name.js';
import { round, span } from './figures.js';
import { AT_ONCE, type Finding, type Rule, type WindowView } from './rule.js';
import { apartOrTogether, firstOf, listed } from './together.js';
import { moreThanUsual, type Unwelcome } from './unwelcome.js';

/** Agents of an AI operator that use a browser's user agent. One alert for each operator. */
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
    return apartOrTogether(
      moreThanUsual('undeclared', operators, window, website),
      (agents) => oneOf(agents, window),
      (several) => severalOf(several, window),
    );
  },
};

function oneOf({ of: agents, usual }: Unwelcome, { start, end }: WindowView): Finding {
  const who = agents.name === '' ? 'Undeclared agents' : `Undeclared agents of ${agents.name}`;
  return {
    subject: agents.name,
    severity: 'info',
    message: `${who} made ${agents.requests} requests in ${span(end - start)}.`,
    details: {
      operator: agents.name,
      current_value: agents.requests,
      baseline_value: round(usual),
      rejected: agents.rejected,
      ...samplesOf(agents),
    },
  };
}

function severalOf(several: readonly Unwelcome[], { start, end }: WindowView): Omit<Finding, 'subject'> {
  const sum = (count: (agents: NamedRequests) => number) =>
    several.reduce((all, { of }) => all + count(of), 0);
  const requests = sum((agents) => agents.requests);
  const operators = several.map(({ of }) => of.name);
  return {
    severity: 'info',
    message: `Undeclared agents of ${several.length} operators made ${requests} requests in ${span(end - start)}: ${firstOf(operators)}.`,
    details: {
      operators: listed(operators),
      current_value: requests,
      rejected: sum(({ rejected }) => rejected),
      ...samplesOf(several[0]!.of),
    },
  };
}
