import { plainLine } from '../../mail/plain-line.js';
import { type Find, impact, MOST_EXAMPLES } from '../model/finding.js';
import { alertMoment, column, counted, tableOrNone } from '../model/texts.js';

export const seriousAlerts: Find = ({ alerts: { alerts } }) => {
  const serious = alerts.filter(({ severity }) => severity === 'critical');
  if (serious.length === 0) return null;
  const open = serious.filter(({ acknowledged }) => !acknowledged).length;
  return {
    title: 'Critical incidents in the period',
    figure: `${counted(serious.length, 'critical alert', 'critical alerts')}, ${open} of them not acknowledged.`,
    why: 'Visitors and crawlers may be affected. A crawler that meets errors may come less often for some time.',
    action: 'Resolve the cause of each alert, then acknowledge it, so that the next alert is noticed.',
    read: 'GET /alerts',
    impact: impact(40 + serious.length * 2, 60),
    examples: tableOrNone(
      'Latest critical alerts',
      [column('Began or found (UTC)'), column('What', 'prose')],
      serious.slice(0, MOST_EXAMPLES).map((alert) => [alertMoment(alert), plainLine(alert.message, 240)]),
    ),
  };
};
