import { type Address, useAddress } from '../address.js';
import { change } from '../format.js';

/** The API compares with the window before. A week earlier is that window only for seven days. */
export function isCompared({ compare, period }: Address): boolean {
  return compare === 'previous' || (compare === 'week' && period === '7d');
}

/** Whether the earlier figures of an answer mean something: the logs cover that window, and the reader compares with it. */
export function hasBefore(
  answer: { readonly comparison_note?: string | null | undefined } | null,
  address: Address,
): boolean {
  return isCompared(address) && (answer?.comparison_note ?? null) === null;
}

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
  const { address } = useAddress();
  if (value === null || value === undefined || !isCompared(address)) return null;
  const direction = value > 0 ? 'up' : value < 0 ? 'down' : 'same';
  const tone = goodWhen === undefined || direction === 'same' ? '' : direction === goodWhen ? 'good' : 'bad';
  return <span class={`delta ${tone}`}>{change(value, unit)}</span>;
}
