import type { ComponentChildren } from 'preact';

/** A block without a read of its own, such as a form. */
export function Panel({
  title,
  caption,
  children,
}: {
  readonly title: string;
  readonly caption?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="card" aria-label={title}>
      <header class="card-head">
        <h2>{title}</h2>
        {caption === undefined ? null : <p class="caption">{caption}</p>}
      </header>
      {children}
    </section>
  );
}
