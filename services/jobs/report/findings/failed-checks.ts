import { plainLine } from '../../mail/plain-line.js';
import { type Find, impact, MOST_EXAMPLES } from '../model/finding.js';
import { column, counted, nameText, tableOrNone, whole } from '../model/texts.js';
import { CHECKS_TITLE } from '../sections/checks.js';

const WEIGHT_TO_IMPACT = 4;

export const failedChecks: Find = ({ checks }) => {
  const failed = checks.checks.filter(({ verdict }) => verdict === 'fail');
  const heaviest = failed[0];
  if (heaviest === undefined) return null;
  return {
    title: 'Nightly checks fail',
    figure: `${counted(failed.length, 'check fails', 'checks fail')} of ${whole(checks.checks.length)}; the highest weight is ${heaviest.weight} of 10.`,
    why: 'Each check covers a known reason why search engines list a page less or not at all.',
    action: `Start with the highest weight. The section “${CHECKS_TITLE}” lists all of them.`,
    read: 'GET /checks',
    impact: impact(20 + heaviest.weight * WEIGHT_TO_IMPACT, 60),
    examples: tableOrNone(
      'Failed checks with the highest weight',
      [column('Check'), column('What was found', 'prose'), column('Weight', 'number')],
      failed
        .slice(0, MOST_EXAMPLES)
        .map(({ id, title, evidence, weight }) => [
          nameText(title ?? id),
          plainLine(evidence.note, 500),
          whole(weight),
        ]),
    ),
  };
};
