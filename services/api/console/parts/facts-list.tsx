import type { ComponentChildren } from 'preact';

/** Names with their values, one a line. */
export function FactsList({
  facts,
}: {
  readonly facts: ReadonlyArray<readonly [string, ComponentChildren]>;
}) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
