/** A line without axes. Screen readers skip it, because the figure is written as text. */
export function Sparkline({
  values,
  class: name,
}: {
  readonly values: readonly number[];
  readonly class?: string;
}) {
  if (values.length < 2) return null;
  const most = Math.max(...values, 1e-9);
  const points = values
    .map(
      (value, place) =>
        `${((place / (values.length - 1)) * 100).toFixed(2)},${(28 - (value / most) * 26).toFixed(2)}`,
    )
    .join(' ');
  return (
    <svg class={`sparkline ${name ?? ''}`} viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points} />
    </svg>
  );
}
