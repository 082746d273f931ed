import { plainLine } from '../../../../shared/mail/plain-line.js';
import { CHECKS_TITLE } from '../sections/checks.js';
import { column, counted, nameText, tableOrNone, whole } from '../texts.js';
import { type Find, impact, MOST_EXAMPLES } from './finding.js';

const WEIGHT_TO_IMPACT = 4;

export const failedChecks: Find = ({ checks }) => {
  const failed = checks.checks.filter(({ verdict }) => verdict === 'fail');
  const heaviest = failed[0];
  if (heaviest === undefined) return null;
  return {
    title: 'Nightly checks fail',
    figure: `${counted(failed.length, 'check fails', 'checks fail')} of ${whole(checks.checks.length)}; the heaviest has weight ${heaviest.weight} of 10.`,
    why: 'Each is a known reason for which pages are found less, or not at all.',
    action: `Begin with the heaviest. The section “${CHECKS_TITLE}” has them all, with what was found.`,
    read: 'GET /checks',
    impact: impact(20 + heaviest.weight * WEIGHT_TO_IMPACT, 60),
    examples: tableOrNone(
      'The heaviest',
      [column('Check'), column('What was found', 'prose'), column('Weight', 'number')],
      failed
        .slice(0, MOST_EXAMPLES)
        .map(({ id, title, evidence, weight }) => [
          nameText(title ?? id),
          plainLine(evidence.note, 240),
          whole(weight),
        ]),
    ),
  };
};
