import { useEffect, useRef } from 'preact/hooks';
import type { Navigation, PeriodName } from '../address.js';
import { screens } from '../screens/all-screens.js';

const windows: ReadonlyMap<string, PeriodName> = new Map([
  ['d', '24h'],
  ['w', '7d'],
  ['m', '30d'],
]);
/** `g` waits this long for the letter of a screen. */
const CHORD_MS = 1_200;
/** A screen's script has this long to load before its field is focused. */
const SCREEN_LOAD_MS = 5_000;

/** Keys of the whole console; keys typed into a field are left alone. @returns the dialog that `?` opens. */
export function useShortcuts(navigation: Navigation) {
  const dialog = useRef<HTMLDialogElement>(null);
  const latest = useRef(navigation);
  latest.current = navigation;
  useEffect(() => {
    let chordUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
      )
        return;
      const { address, go } = latest.current;
      const inChord = Date.now() < chordUntil;
      chordUntil = 0;
      if (inChord) {
        const screen = screens.find(({ key }) => key === event.key);
        if (screen !== undefined) go({ screen: screen.path });
        return;
      }
      const period = windows.get(event.key);
      if (period !== undefined) return go({ period });
      if (event.key === 'g') chordUntil = Date.now() + CHORD_MS;
      else if (event.key === 'v') go({ verified: !address.verified });
      else if (event.key === 'c') go({ compare: NEXT_COMPARISON[address.compare] });
      else if (event.key === 'f') {
        event.preventDefault();
        mainFilter()?.focus();
      } else if (event.key === '/') {
        event.preventDefault();
        go({ screen: 'pages' });
        focusWhenShown('input[type=search]');
      } else if (event.key === '?') dialog.current?.showModal();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return dialog;
}

/** The first field of the screen that filters, otherwise the first chip, otherwise the segment. */
function mainFilter(): HTMLElement | null {
  const places = [
    'main .search-form input',
    'main input[type=search]',
    '#filters button',
    '.scope [aria-label=Segment]',
  ];
  for (const place of places) {
    const found = document.querySelector<HTMLElement>(place);
    if (found !== null) return found;
  }
  return null;
}

/** Focuses an element of a screen that may still load its script. */
function focusWhenShown(selector: string, until = Date.now() + SCREEN_LOAD_MS): void {
  setTimeout(() => {
    const element = document.querySelector<HTMLElement>(selector);
    if (element !== null) element.focus();
    else if (Date.now() < until) focusWhenShown(selector, until);
  }, 50);
}

const NEXT_COMPARISON = { previous: 'week', week: 'none', none: 'previous' } as const;
