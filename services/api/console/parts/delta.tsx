import { change } from '../format.js';

/** A change with its sign. `goodWhen` colours it; without it the change is neutral. */
export function Delta({
  value,
  unit = '%',
  goodWhen,
}: {
  readonly value: number | null | undefined;
  readonly unit?: '%' | 'pp';
  readonly goodWhen?: 'up' | 'down';
}) {
  if (value === null || value === undefined) return null;
  const direction = value > 0 ? 'up' : value < 0 ? 'down' : 'same';
  const tone = goodWhen === undefined || direction === 'same' ? '' : direction === goodWhen ? 'good' : 'bad';
  return <span class={`delta ${tone}`}>{change(value, unit)}</span>;
}
