import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { axisTimes, short } from '../format.js';
import type { Mark, Series, TimeChartProps } from './time-chart-props.js';

/** Draws a chart into an element. Loaded with the first chart, so that uPlot is no part of the first page's script. */
export function drawTimeChart(
  element: HTMLElement,
  height: number,
  { times, series, isStacked = false, band, marks = [], format = short, onZoom }: TimeChartProps,
  onCursor: (place: number | null) => void,
): uPlot {
  const style = getComputedStyle(element);
  const colourOf = (name: string) => style.getPropertyValue(name).trim();
  const shown = isStacked ? stack(series) : series;
  const seconds = times.map((at) => at / 1_000);
  const text = colourOf('--muted');
  const grid = { stroke: colourOf('--line'), width: 1 };
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      legend: { show: false },
      cursor: { drag: { x: onZoom !== undefined, y: false, setScale: false }, y: false },
      scales: { y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.08 : 1] } },
      axes: [
        {
          stroke: text,
          grid: { show: false },
          ticks: { show: false },
          font: '12px system-ui',
          space: 76,
          values: (_plot, at) => axisTimes(at.map((seconds) => seconds * 1_000)),
        },
        {
          stroke: text,
          grid,
          ticks: { show: false },
          font: '12px system-ui',
          size: 56,
          values: (_plot, values) => values.map((value) => format(value)),
        },
      ],
      series: [
        {},
        ...shown.map(({ name, colour, isDashed }) => ({
          label: name,
          stroke: colourOf(colour),
          width: isStacked && !isDashed ? 0 : 1.5,
          points: { show: false },
          ...(isDashed ? { dash: [5, 4] } : isStacked ? { fill: colourOf(colour) } : {}),
        })),
      ],
      ...(band === undefined
        ? {}
        : { bands: [{ series: [band.upper + 1, band.lower + 1], fill: colourOf('--raised') }] }),
      hooks: {
        setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)],
        setSelect: [
          (plot) => {
            const { left, width } = plot.select;
            if (width < 8) return;
            onZoom?.(plot.posToVal(left, 'x') * 1_000, plot.posToVal(left + width, 'x') * 1_000);
          },
        ],
        draw: [(plot) => drawMarks(plot, marks, colourOf)],
      },
    },
    [seconds, ...shown.map(({ values }) => [...values])],
    element,
  );
}

/** Largest sum first, so that each area is painted over by those below it. Dashed series are not part of the sum. */
function stack(series: readonly Series[]): Series[] {
  const solid = series.filter(({ isDashed }) => isDashed !== true);
  const sums = solid.map((_, last) => ({
    ...solid[last]!,
    values: solid[last]!.values.map((_value, place) =>
      solid.slice(0, last + 1).reduce((sum, { values }) => sum + (values[place] ?? 0), 0),
    ),
  }));
  return [...sums.toReversed(), ...series.filter(({ isDashed }) => isDashed === true)];
}

function drawMarks(plot: uPlot, marks: readonly Mark[], colourOf: (name: string) => string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.font = `${11 * devicePixelRatio}px system-ui`;
  let free = 0;
  for (const { at, label, tone } of marks) {
    const x = plot.valToPos(at / 1_000, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = ctx.fillStyle = colourOf(tone === 'incident' ? '--bad' : '--accent');
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const width = ctx.measureText(label).width;
    if (x < free || x + width > bbox.left + bbox.width) continue;
    ctx.fillText(label, x + 4 * devicePixelRatio, bbox.top + 12 * devicePixelRatio);
    free = x + width + 12 * devicePixelRatio;
  }
  ctx.restore();
}
