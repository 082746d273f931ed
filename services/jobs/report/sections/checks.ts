import { plainLine } from '../../mail/plain-line.js';
import { type Block, paragraph, type Section } from '../model/document.js';
import { MOST_ALERTS, type ReportData } from '../model/report-data.js';
import { alertMoment, column, counted, nameText, plainProblem, table, whole } from '../model/texts.js';

const LONGEST_NOTE = 500;
const MOST_SHOWN = 12;
export const CHECKS_TITLE = 'Nightly checks and alerts';

export function checksAndAlerts(data: ReportData): Section {
  return {
    id: 'checks',
    title: CHECKS_TITLE,
    blocks: [...checksOf(data), ...alertsOf(data)],
  };
}

function checksOf(data: ReportData): Block[] {
  const { checks, summary, evaluated, not_reached } = data.checks;
  if (!evaluated) return [paragraph('The nightly checks have not run yet. This does not count as passed.')];
  const found = checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const count = (value: number | undefined) => whole(value ?? 0);
  const counts: Block = {
    kind: 'figures',
    figures: [
      { label: 'Fail', value: count(summary.fail), note: 'to be repaired' },
      { label: 'Warn', value: count(summary.warn), note: 'could be better' },
      { label: 'Pass', value: count(summary.pass), note: 'as it should be' },
      {
        label: 'Unknown',
        value: whole((summary.unknown ?? 0) - (not_reached?.checks ?? 0)),
        note: 'could not be evaluated',
      },
    ],
  };
  if (found.length === 0)
    return [
      counts,
      ...notReached(data),
      paragraph(
        summary.pass === undefined
          ? 'No check could be evaluated in the last run. This does not count as passed.'
          : 'No evaluated check fails or warns.',
      ),
    ];
  return [
    counts,
    ...notReached(data),
    table(
      'Checks that fail or warn, failing checks first',
      [column('Verdict'), column('Check'), column('What was found', 'prose'), column('Weight', 'number')],
      found.map(({ verdict, id, title, evidence, weight }) => [
        verdict,
        nameText(title ?? id),
        plainLine(evidence.note, LONGEST_NOTE),
        whole(weight),
      ]),
    ),
  ];
}

/** One line for all checks that could not be evaluated because nothing could be fetched. */
export function notReached({ checks: { not_reached } }: ReportData): Block[] {
  if (not_reached === null) return [];
  return [
    paragraph(
      `${counted(not_reached.checks, 'check needs', 'checks need')} responses from the website and could not be evaluated. ${plainProblem(not_reached.reason)}`,
    ),
  ];
}

function alertsOf({ alerts: { alerts }, unjudgedHours }: ReportData): Block[] {
  const unjudged = `The logs of ${counted(unjudgedHours, 'hour', 'hours')} are not yet evaluated for alerts.`;
  if (alerts.length === 0)
    return [
      paragraph(
        unjudgedHours === 0
          ? 'No alert was raised in the period.'
          : `No alert was raised for the period so far. ${unjudged}`,
      ),
    ];
  const shown = alerts.slice(0, MOST_SHOWN);
  const all = `${alerts.length < MOST_ALERTS ? '' : 'at least '}${whole(alerts.length)}`;
  return [
    table(
      `Alerts in the period${shown.length < alerts.length ? `, the latest ${shown.length} of ${all}` : ''}`,
      [column('Began or found (UTC)'), column('Severity'), column('Alert', 'prose')],
      shown.map((alert) => [alertMoment(alert), alert.severity, plainLine(alert.message, LONGEST_NOTE)]),
    ),
    ...(unjudgedHours === 0 ? [] : [paragraph(unjudged)]),
  ];
}
