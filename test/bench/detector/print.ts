import { HOUR_MS } from '../../../shared/durations.js';
import { tableLines } from '../print/table.js';
import { quantile } from '../statistics.js';
import { type InjectionName, magnitudes } from './inject.js';
import { seededTypes } from './seeded-incidents.js';
import type { WeeksResult } from './weeks.js';

/** The detector's findings in simulated weeks, their delays, and the false alarms. */
export function weekLines(result: WeeksResult): string[] {
  const { incidents, rightAlerts, falseAlerts, falseInHistory, weeks, quietWeeks, historyWeeks } = result;
  const alerted = incidents.filter(({ alert }) => alert !== undefined).length;
  const precision = rightAlerts / (rightAlerts + falseAlerts.length);
  return [
    `${weeks} simulated weeks, ${quietWeeks} of them without incidents`,
    ...tableLines([
      ['rule', 'incidents', 'recall', 'delay: median', 'p90', 'within two periods'],
      ...seededTypes.map((type) => {
        const own = incidents.filter(({ incident }) => incident.type === type);
        const delays = own.flatMap(({ delay }) => (delay === undefined ? [] : [delay]));
        const inTime = delays.filter((delay) => delay <= 2).length / Math.max(1, delays.length);
        return [
          ...[type, `${own.length}`, (delays.length / own.length).toFixed(2)],
          ...[quantile(delays, 0.5).toFixed(1), quantile(delays, 0.9).toFixed(1), inTime.toFixed(2)],
        ];
      }),
    ]),
    `recall ${(alerted / incidents.length).toFixed(3)} of ${incidents.length} incidents`,
    `precision ${precision.toFixed(3)}: ${rightAlerts} alerts right, ${falseAlerts.length} false`,
    `false alarms a website and week: ${(falseAlerts.length / weeks).toFixed(2)}`,
    `in the ${historyWeeks} weeks of history before, after the first day: ${(falseInHistory.length / historyWeeks).toFixed(2)}`,
  ];
}

/** Each false alarm, and each incident that was missed or reported late. */
export function mistakeLines({ incidents, falseAlerts, falseInHistory }: WeeksResult): string[] {
  const iso = (at: number) => new Date(at).toISOString();
  return [
    ...[...falseInHistory, ...falseAlerts].map(({ website, createdAt, type, subject, message }) => {
      const near = incidents.find(
        ({ incident }) => incident.start < createdAt && createdAt <= incident.end + 3 * HOUR_MS,
      );
      return `false: ${iso(createdAt)} ${website} ${type} ${subject}: ${message} [${near?.incident.type ?? ''}]`;
    }),
    ...incidents
      .filter(({ delay = Number.POSITIVE_INFINITY }) => delay > 2)
      .map(({ incident: { type, subject, start, end }, alert, delay }) => {
        const how = delay === undefined ? 'missed' : `late by ${delay.toFixed(1)} periods`;
        return `${how}: ${type} ${subject} ${iso(start)} to ${iso(end)} ${alert?.message ?? ''}`;
      }),
  ];
}

export function injectionLines(found: ReadonlyMap<InjectionName, readonly number[]>): string[] {
  return [
    'share of injected changes that were reported while they lasted, by their strength',
    ...tableLines([
      ['times', ...magnitudes.map((times) => `${times}`)],
      ...[...found].map(([name, shares]) => [name, ...shares.map((share) => share.toFixed(2))]),
    ]),
  ];
}
