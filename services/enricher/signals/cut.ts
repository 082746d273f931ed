import { MAX_TEXT } from '../../../shared/detection/signal.js';

/** A text of a request as a signal takes it. */
export function cut(text: string): string {
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
}
