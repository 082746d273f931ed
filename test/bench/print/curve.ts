import { figure } from '../statistics.js';
import { tableLines } from './table.js';

/** A point of a curve: figures at a size of something that grows. */
export interface CurvePoint {
  /** The size: a number of rows, of websites, … */
  readonly at: number;
  readonly linesPerSecond: number;
  readonly microsecondsPerLine: number;
  /** Costs by purpose, µs a line, which show why a curve bends. */
  readonly costs: Readonly<Record<string, number>>;
}

const BAR_WIDTH = 30;

/**
 * A line for each point: the size, lines a second with a bar, µs of CPU a line with a bar, and costs by purpose.
 * The first two figures are also multiples of the first point's. No lines without points.
 * @param name name of the size
 */
export function curveLines(name: string, points: readonly CurvePoint[]): string[] {
  if (points.length === 0) return [];
  const rate = scaleOf(points.map(({ linesPerSecond }) => linesPerSecond));
  const cost = scaleOf(points.map(({ microsecondsPerLine }) => microsecondsPerLine));
  const rows = points.map((point) => {
    const [first] = points as [CurvePoint, ...CurvePoint[]];
    const times = (value: number, of: number) => `× ${(value / of).toFixed(2)}`;
    return {
      figures: [point.at.toLocaleString('en-US'), figure(point.linesPerSecond)],
      rateTimes: times(point.linesPerSecond, first.linesPerSecond),
      rateBar: bar(point.linesPerSecond, rate),
      cost: figure(point.microsecondsPerLine),
      costTimes: times(point.microsecondsPerLine, first.microsecondsPerLine),
      costBar: bar(point.microsecondsPerLine, cost),
      costs: Object.entries(point.costs)
        .map(([name, microseconds]) => `${name} ${figure(microseconds)}`)
        .join(', '),
    };
  });
  return tableLines([
    [name, 'lines/s', '', ''.padEnd(BAR_WIDTH), 'µs CPU a line', '', '', ''],
    ...rows.map((row) => [
      ...row.figures,
      row.rateTimes,
      row.rateBar.padEnd(BAR_WIDTH),
      row.cost,
      row.costTimes,
      row.costBar.padEnd(BAR_WIDTH),
      row.costs,
    ]),
  ]);
}

/** The value of a full bar; missing figures have no bar. */
function scaleOf(values: readonly number[]): number {
  return Math.max(0, ...values.filter(Number.isFinite));
}

/** From 0, so that lengths are proportional to figures. */
function bar(value: number, full: number): string {
  if (!(value > 0) || !(full > 0)) return '';
  return '█'.repeat(Math.max(1, Math.round((value / full) * BAR_WIDTH)));
}
