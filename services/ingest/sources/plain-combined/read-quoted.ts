import type { TextBuilder } from '../../../../shared/requests/columns/column-builder.js';
import { beginHash } from '../../../../shared/requests/columns/hash-bytes.js';
import { HYPHEN, isWordEnd } from './bytes.js';
import type { TextScanner } from './scan-text.js';

/** Reads a quoted field; '-' is the servers' mark for an absent header. */
export function createPlainQuoted(scanner: TextScanner, longest: number) {
  let from = 0;
  let to = 0;
  let hash = 0;

  function clear(): void {
    from = to;
    hash = beginHash();
  }

  return {
    /** No field: the text is ''. */
    clear,
    /** @param start index behind the opening quote. @returns index behind the closing one, where the word ends; -1. */
    read(bytes: Buffer, start: number): number {
      const end = scanner.toQuote(start);
      if (end === -1 || end - start > longest || !isWordEnd(bytes[end + 1]!)) return -1;
      from = start;
      to = end;
      hash = scanner.hash();
      if (end - start === 1 && bytes[start] === HYPHEN) clear();
      return end + 1;
    },
    put: (text: TextBuilder): void => text.putBytes(scanner.view(), from, to, hash),
    length: () => to - from,
  };
}
