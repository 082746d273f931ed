import { DAY_MS } from '../../../shared/durations.js';
import type { WebsiteContext } from './operation.js';
import { resolveWindow, type WindowInput } from './resolve-scope.js';

/**
 * The days of a connected source in a window. `hours` are rounded up to whole days that end with the last day of data. Dates are used
 * unchanged. @throws PublicError invalid_request
 */
export function wantedDays(
  window: WindowInput,
  { now }: WebsiteContext,
): { readonly days: number } | { readonly from: string; readonly to: string } {
  const { start, end } = resolveWindow(window, now);
  if (window.start === undefined || window.end === undefined)
    return { days: Math.ceil(Number(window.hours) / 24) };
  const dayOf = (at: number) => new Date(Math.floor(at / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
  return { from: dayOf(start), to: dayOf(end - 1) };
}
