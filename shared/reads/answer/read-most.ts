import { unlessTooLong } from '../../store/store-errors.js';

/**
 * The first rows of a list whose texts others size.
 * @param read the list, cut to a number of rows.
 * @param most rows; `few` where so many have more bytes than an answer of the store may have.
 * @returns `isComplete` false where there may be more.
 */
export async function readMost<Row>(
  read: (limit: number) => Promise<readonly Row[]>,
  { most, few }: { readonly most: number; readonly few: number },
): Promise<{ rows: readonly Row[]; isComplete: boolean }> {
  const rows = await unlessTooLong(read(most));
  return rows === null
    ? { rows: await read(few), isComplete: false }
    : { rows, isComplete: rows.length < most };
}
