import { unlessTooLong } from '../../store/store-errors.js';

/**
 * The first rows of a list whose text sizes are not bounded.
 * @param read the list, cut to a number of rows.
 * @param most maximum rows; `few` if that many exceed the size limit of the store's answer.
 * @returns `isComplete` false if there may be more.
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
