import type { ComponentChildren } from 'preact';
import { exact, logText, short } from '../format.js';
import { ScrollFrame } from '../parts/scroll-frame.js';

export interface Bar {
  readonly key: string;
  readonly label: ComponentChildren;
  readonly value: number;
  /** Further cells after the bar's figure. */
  readonly cells?: readonly ComponentChildren[];
  readonly isSelected?: boolean;
}

/** Rows with a bar behind the main figure. With `onPick` a row is a button that filters by it. */
export function BarList({
  bars,
  heads,
  onPick,
  tone = 'people',
  label,
}: {
  readonly bars: readonly Bar[];
  /** Titles of the columns: the label's, the bar's, then the cells'. */
  readonly heads: readonly string[];
  readonly onPick?: (key: string) => void;
  readonly tone?: 'people' | 'search' | 'ai' | 'other' | 'bad';
  readonly label: string;
}) {
  const most = Math.max(...bars.map(({ value }) => value), 1);
  return (
    <ScrollFrame label={label}>
      <table class={`bars ${tone}`}>
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {heads.map((head, place) => (
              <th key={head} scope="col" class={place === 0 ? '' : 'number'}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ key, label: text, value, cells = [], isSelected }) => (
            <tr
              key={key}
              class={`${isSelected ? 'selected' : ''} ${onPick === undefined ? '' : 'picks'}`}
              onClick={
                onPick === undefined ? undefined : (event) => pickUnlessControl(event, () => onPick(key))
              }
            >
              <th scope="row">
                {onPick === undefined ? (
                  show(text)
                ) : (
                  <button
                    type="button"
                    class="pick"
                    aria-pressed={isSelected === true}
                    onClick={() => onPick(key)}
                  >
                    {show(text)}
                  </button>
                )}
              </th>
              <td class="number bar">
                <BarShape share={value / most} />
                <span title={exact(value)}>{short(value)}</span>
              </td>
              {cells.map((cell, place) => (
                <td key={place} class="number">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

/** An SVG, since a style attribute would need an exception in the content security policy. */
function BarShape({ share }: { readonly share: number }) {
  return (
    <svg class="bar-shape" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect x={100 - share * 100} width={share * 100} height="10" rx="1" />
    </svg>
  );
}

/** A click anywhere in the row picks it, but not on a control, which acts by itself. */
function pickUnlessControl(event: MouseEvent, pick: () => void): void {
  if (event.target instanceof Element && event.target.closest('a, button, input, select') === null) pick();
}

function show(text: ComponentChildren): ComponentChildren {
  return typeof text === 'string' ? logText(text) : text;
}
