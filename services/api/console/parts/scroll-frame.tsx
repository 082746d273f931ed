import type { ComponentChildren } from 'preact';

/** A frame that scrolls a table wider than its card, by the arrow keys too. */
export function ScrollFrame({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it.
    // biome-ignore lint/a11y/useSemanticElements: a section would repeat the landmark of the card.
    <div class="table-frame" tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}
