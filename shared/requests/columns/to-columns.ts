import type { RawRequest } from '../raw-request.js';
import { copyFirstRows, createNumberColumns, setNumbers } from './number-columns.js';
import { putTexts } from './put-texts.js';
import { byTextName, narrowIds, type RequestColumns, type TextColumn } from './request-columns.js';

/** Kept from call to call: their arrays are large, and what they hold is copied before the next. */
let room = createRoom(0);

/** Requests that were decoded one by one, as columns. @throws RangeError where a number does not fit. */
export function toColumns(requests: readonly RawRequest[]): RequestColumns {
  const rows = requests.length;
  if (rows > room.capacity) room = createRoom(rows);
  const { numbers, texts } = room;
  try {
    for (const [row, request] of requests.entries()) {
      setNumbers(numbers, row, request);
      putTexts(texts, request);
    }
    return {
      rows,
      ...copyFirstRows(numbers, rows),
      texts: byTextName((name) => texts[name].copy()),
    };
  } finally {
    for (const text of Object.values(texts)) text.clear();
  }
}

/** @param capacity rows */
function createRoom(capacity: number) {
  return {
    capacity,
    numbers: createNumberColumns(capacity),
    texts: byTextName(() => createTexts(capacity)),
  };
}

function createTexts(capacity: number) {
  const places = new Map<string, number>();
  const ids = new Uint32Array(capacity);
  let rows = 0;
  let last = '';
  let lastPlace = 0;
  return {
    put(text: string): void {
      // Neighbours are often equal, and comparing costs less than hashing.
      if (text !== last || rows === 0) {
        lastPlace = places.get(text) ?? places.size;
        places.set(text, lastPlace);
        last = text;
      }
      ids[rows] = lastPlace;
      rows += 1;
    },
    copy: (): TextColumn => ({
      texts: [...places.keys()],
      ids: narrowIds(ids.subarray(0, rows), places.size),
    }),
    clear(): void {
      places.clear();
      rows = 0;
      last = '';
    },
  };
}
