import { useEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { moment, short } from '../format.js';
import { useZoom } from '../parts/use-zoom.js';
import type { Series, TimeChartProps } from './time-chart-props.js';

const HEIGHT = 240;

/** Lines or stacked areas over time, on uPlot. Arrow keys move the cursor, and the values under it are announced. */
export function TimeChart(props: TimeChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const { times, series, label, format = short } = props;
  const zoom = useZoom();
  // The chart lives longer than one address.
  const latest = useRef(zoom);
  latest.current = zoom;
  const key = JSON.stringify([
    times.length,
    times[0],
    times.at(-1),
    series.map(({ name, values }) => [name, values]),
    props.marks,
  ]);
  useEffect(() => {
    const element = holder.current;
    if (element === null || times.length === 0) return;
    let chart: uPlot | null = null;
    let ended = false;
    const observer = new ResizeObserver(() => chart?.setSize({ width: element.clientWidth, height: HEIGHT }));
    const colours = matchMedia('(prefers-color-scheme: dark)');
    const draw = () =>
      void import('./draw-time-chart.js').then(({ drawTimeChart }) => {
        if (ended) return;
        chart?.destroy();
        chart = drawTimeChart(
          element,
          HEIGHT,
          { onZoom: (from, to) => latest.current(from, to), ...props },
          setCursor,
        );
      });
    draw();
    observer.observe(element);
    colours.addEventListener('change', draw);
    return () => {
      ended = true;
      observer.disconnect();
      colours.removeEventListener('change', draw);
      chart?.destroy();
    };
  }, [key]);
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    setCursor(Math.min(Math.max((cursor ?? (step > 0 ? -1 : times.length)) + step, 0), times.length - 1));
  };
  return (
    <figure class="time-chart" aria-label={label}>
      <Legend
        series={series}
        place={cursor}
        time={cursor === null ? null : (times[cursor] ?? null)}
        format={format}
      />
      <div
        ref={holder}
        class="plot"
        role="application"
        aria-label={`${label}: arrow keys read the values`}
        onKeyDown={move}
      />
    </figure>
  );
}

function Legend({
  series,
  place,
  time,
  format,
}: {
  readonly series: readonly Series[];
  readonly place: number | null;
  readonly time: number | null;
  readonly format: (value: number | null) => string;
}) {
  return (
    <figcaption class="legend" aria-live="polite">
      {series.map(({ name, colour, values, isDashed }) => (
        <span key={name} class={`key key${colour} ${isDashed ? 'dashed' : ''}`}>
          <i aria-hidden="true" />
          {name}
          {place === null ? null : <b>{format(values[place] ?? null)}</b>}
        </span>
      ))}
      <time>{time === null ? '' : moment(time)}</time>
    </figcaption>
  );
}
