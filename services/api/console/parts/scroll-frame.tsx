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
    <div class="table-frame" tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}
