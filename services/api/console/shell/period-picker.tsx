import { useRef } from 'preact/hooks';
import { type PeriodName, periods, useAddress, windowOf } from '../address.js';
import { range, zoneName } from '../format.js';

/** The window of all figures: a rolling one, or one from a minute to a minute in the reader's zone. */
export function PeriodPicker() {
  const { address, go } = useAddress();
  const dialog = useRef<HTMLDialogElement>(null);
  const isRolling = address.period in periods;
  const { start, end } = boundsOf(address.period);
  const apply = (event: SubmitEvent) => {
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const [from, to] = ['from', 'to'].map((name) => new Date(String(data.get(name))));
    if (from === undefined || to === undefined || !(from < to)) {
      event.preventDefault();
      const field = (event.currentTarget as HTMLFormElement).elements.namedItem('to') as HTMLInputElement;
      field.setCustomValidity('The end must be after the beginning.');
      field.reportValidity();
      return;
    }
    go({ period: `${from.toISOString()}/${to.toISOString()}` });
  };
  const forget = (event: Event) => (event.currentTarget as HTMLInputElement).setCustomValidity('');
  return (
    <>
      <div class="choices" role="group" aria-label="Window">
        {(Object.keys(periods) as PeriodName[]).map((period) => (
          <button
            key={period}
            type="button"
            aria-pressed={address.period === period}
            onClick={() => go({ period })}
          >
            {period.replace(/(\d+)/, '$1 ')}
          </button>
        ))}
        <button type="button" aria-pressed={!isRolling} onClick={() => dialog.current?.showModal()}>
          {isRolling ? 'from – to' : range(start, end)}
        </button>
        {isRolling ? null : (
          <button type="button" aria-label="Back to the last 7 days" onClick={() => go({ period: '7d' })}>
            ×
          </button>
        )}
      </div>
      <dialog ref={dialog} class="keys period" aria-label="Window from a time to a time">
        <h2>From – to</h2>
        <form method="dialog" key={address.period} onSubmit={apply}>
          <label>
            From
            <input
              type="datetime-local"
              name="from"
              required
              defaultValue={localText(start)}
              onInput={forget}
            />
          </label>
          <label>
            To
            <input type="datetime-local" name="to" required defaultValue={localText(end)} onInput={forget} />
          </label>
          <p class="caption">Times in {zoneName()}. Dragging over a chart also sets this window.</p>
          <button type="submit" class="action">
            Show
          </button>{' '}
          <button type="button" class="tool" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </form>
      </dialog>
    </>
  );
}

function boundsOf(period: Parameters<typeof windowOf>[0]): { start: number; end: number } {
  const window = windowOf(period);
  if ('hours' in window) return { start: Date.now() - window.hours * 3_600_000, end: Date.now() };
  return { start: Date.parse(window.start), end: Date.parse(window.end) };
}

/** The value of a `datetime-local` field, which is in the reader's zone. */
function localText(at: number): string {
  const date = new Date(at);
  return Number.isNaN(at) ? '' : new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
