import { short } from '../format.js';

export interface StatusCounts {
  readonly status_1xx?: number;
  readonly status_2xx: number;
  readonly status_3xx: number;
  readonly status_4xx: number;
  readonly status_5xx: number;
  readonly status_other?: number;
}

const CLASSES = ['status_2xx', 'status_3xx', 'status_4xx', 'status_5xx'] as const;

/** The share of each class of status as one strip. Its text says the same. */
export function StatusMix({ counts }: { readonly counts: StatusCounts }) {
  const total = CLASSES.reduce((sum, name) => sum + counts[name], 0);
  const text = CLASSES.filter((name) => counts[name] > 0)
    .map((name) => `${short(counts[name])} × ${name.slice('status_'.length)}`)
    .join(', ');
  let left = 0;
  return (
    <svg class="status-mix" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={text}>
      <title>{text}</title>
      {CLASSES.map((name) => {
        const width = total === 0 ? 0 : (counts[name] / total) * 100;
        const x = left;
        left += width;
        return width === 0 ? null : <rect key={name} class={name} x={x} width={width} height="10" />;
      })}
    </svg>
  );
}

/** The share of answers that are neither 2xx nor 3xx, in percent. */
export function failedShare(counts: StatusCounts): number {
  const failed = counts.status_4xx + counts.status_5xx;
  const total =
    failed + counts.status_2xx + counts.status_3xx + (counts.status_1xx ?? 0) + (counts.status_other ?? 0);
  return total === 0 ? 0 : Math.round((failed / total) * 1_000) / 10;
}
