import { head } from '../../../../shared/text-head.js';

/** A value in an error message: enough to find it, too little to flood the answer. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${head(text, 60)}…` : text);
}

/** Splits a constant text into words, so that long lists remain readable. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
