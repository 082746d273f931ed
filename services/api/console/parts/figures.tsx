import type { ComponentChildren } from 'preact';

export interface Figure {
  readonly title: string;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
}

/** A row of figures with their names. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl class="figures">
      {figures.map(({ title, value, note }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            <strong>{value}</strong> {note === undefined ? null : <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
