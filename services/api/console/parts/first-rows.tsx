import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** The first rows of a list, and a button with the number of the others that shows them. */
export function FirstRows<Row>({
  rows,
  first,
  children,
}: {
  readonly rows: readonly Row[];
  readonly first: number;
  readonly children: (shown: readonly Row[]) => ComponentChildren;
}) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      {children(isWhole ? rows : rows.slice(0, first))}
      {isWhole || rows.length <= first ? null : (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          {rows.length - first} more
        </button>
      )}
    </>
  );
}
