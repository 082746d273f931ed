import { MAX_TEXT } from '../../../shared/detection/signal.js';
import { signalText } from '../../../shared/detection/signal-text.js';

/** A text of a request as a signal takes it. */
export function cut(text: string): string {
  return signalText(text, MAX_TEXT);
}
