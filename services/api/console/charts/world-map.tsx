import { useEffect, useRef, useState } from 'preact/hooks';
import { short } from '../format.js';

type Shapes = ReadonlyArray<readonly [code: string, path: string]>;

const LEVELS = 5;

/** Countries shaded by a figure, on a logarithmic scale. Screen readers skip the map, because a list of countries has the figures. */
export function WorldMap({
  label,
  values,
  names,
}: {
  readonly label: string;
  readonly values: ReadonlyMap<string, number>;
  readonly names: ReadonlyMap<string, string>;
}) {
  const [shapes, setShapes] = useState<Shapes>([]);
  const holder = useRef<SVGSVGElement>(null);
  // Loaded when the map comes into view: the outlines are larger than the rest of the first page.
  useEffect(() => {
    const seen = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      seen.disconnect();
      void import('virtual:world-shapes').then(({ shapes: loaded }) => setShapes(loaded));
    });
    if (holder.current !== null) seen.observe(holder.current);
    return () => seen.disconnect();
  }, []);
  const most = Math.max(...values.values(), 1);
  return (
    <svg ref={holder} class="world" viewBox="0 0 720 360" aria-hidden="true">
      <title>{label}</title>
      {shapes.map(([code, path], place) => {
        const value = values.get(code) ?? 0;
        return (
          <path key={place} d={path} class={`level-${levelOf(value, most)}`}>
            {value === 0 ? null : <title>{`${names.get(code) ?? code}: ${short(value)}`}</title>}
          </path>
        );
      })}
    </svg>
  );
}

/** 0 for none, then 1 to 5. */
function levelOf(value: number, most: number): number {
  return value === 0 ? 0 : Math.max(1, Math.ceil((Math.log(value + 1) / Math.log(most + 1)) * LEVELS));
}
