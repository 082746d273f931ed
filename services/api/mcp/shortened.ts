import { head } from '../../../shared/text-head.js';

/** Cut to so many characters, with a mark. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${head(text, most - 1)}…`;
}
