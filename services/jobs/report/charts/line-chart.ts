import { whole } from '../model/texts.js';
import { element, FAINT, label, niceTop, palette, picture } from './svg.js';

export interface Series {
  readonly name: string;
  /** One for each label; null: unknown, and not drawn. */
  readonly values: readonly (number | null)[];
}

export interface LineChartOptions {
  readonly alt: string;
  /** For the points, from left to right. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** Formats a value of the axis. */
  readonly write?: (value: number) => string;
}

const WIDTH = 640;
const HEIGHT = 230;
const LEFT = 62;
const RIGHT = 12;
const TOP = 26;
const BOTTOM = 24;
const LINES = 4;
const MOST_LABELS = 8;
/** The limit of values for dots. With more, each day's dot would be lost in the line. */
const MOST_DOTS = 45;

/** Values over time, with the first series' area filled. Pure. */
export function lineChart({ alt, labels, series, write = whole }: LineChartOptions): string {
  const top = niceTop(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  const x = (place: number) => LEFT + ((WIDTH - LEFT - RIGHT) * (place + 0.5)) / Math.max(labels.length, 1);
  const grid = Array.from({ length: LINES + 1 }, (_, line) => {
    const value = (top * line) / LINES;
    const height = y(value);
    return (
      element('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: height, y2: height, stroke: FAINT }) +
      label(LEFT - 6, height + 4, write(value), { 'text-anchor': 'end' })
    );
  });
  const step = Math.max(1, Math.ceil(labels.length / MOST_LABELS));
  const days = labels.map((text, place) =>
    place % step === 0 ? label(x(place), HEIGHT - 6, text, { 'text-anchor': 'middle' }) : '',
  );
  const drawn = series.map(({ values }, index) =>
    runsOf(values)
      .map((run) => drawRun(run, { x, y, index, hasDots: values.length <= MOST_DOTS }))
      .join(''),
  );
  return picture(WIDTH, HEIGHT, alt, [...grid, ...days, ...drawn.reverse(), legend(series)].join(''));
}

interface Point {
  readonly place: number;
  readonly value: number;
}

/** Runs of consecutive known values: no line crosses a gap. */
function runsOf(values: readonly (number | null)[]): Point[][] {
  const runs: Point[][] = [];
  for (const [place, value] of values.entries()) {
    if (value === null) continue;
    const run = runs.at(-1);
    if (run?.at(-1)?.place === place - 1) run.push({ place, value });
    else runs.push([{ place, value }]);
  }
  return runs;
}

interface Frame {
  x(place: number): number;
  y(value: number): number;
  /** The index of the series. */
  readonly index: number;
  readonly hasDots: boolean;
}

/** @param run at least one point */
function drawRun(run: readonly Point[], { x, y, index, hasDots }: Frame): string {
  const colour = palette[index % palette.length]!;
  const points = run.map(({ place, value }) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const shape = { fill: 'none', stroke: colour, 'stroke-width': 2, 'stroke-linejoin': 'round' };
  const isAlone = run.length === 1;
  const ends = [run[0]!, run.at(-1)!].map(({ place }) => `${x(place).toFixed(1)},${y(0)}`);
  const area =
    index === 0 && !isAlone
      ? element('polygon', {
          points: `${ends[0]} ${points} ${ends[1]}`,
          fill: colour,
          'fill-opacity': '0.12',
        })
      : '';
  const dots =
    hasDots || isAlone
      ? run.map(({ place, value }) =>
          element('circle', { cx: x(place), cy: y(value), r: isAlone ? 3 : 1.8, fill: colour }),
        )
      : [];
  return area + element('polyline', { points, ...shape }) + dots.join('');
}

function legend(series: readonly Series[]): string {
  let left = LEFT;
  return series
    .map(({ name }, index) => {
      const colour = palette[index % palette.length]!;
      const entry =
        element('rect', { x: left, y: 6, width: 10, height: 10, fill: colour }) + label(left + 15, 15, name);
      left += 30 + name.length * 6.2;
      return entry;
    })
    .join('');
}
