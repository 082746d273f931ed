import { expect, it } from 'vitest';
import { createJsonBody } from './open-json.js';

/** Wrappers of records, one a line or several, in chunks of any size: each gives its records. */
const wrapper = (...names: string[]) =>
  JSON.stringify({ batch: 'a } b\n', records: names.map((name) => ({ name })) });

function recordsOf(body: string, chunkBytes: number): unknown[] {
  const found: unknown[] = [];
  const splitter = createJsonBody(
    1_000,
    { onRecord: (record, number) => found.push([record.name, number]), onInvalid() {} },
    1,
  );
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += chunkBytes) splitter.onChunk(bytes.subarray(at, at + chunkBytes));
  splitter.onEnd();
  return found;
}

const [first, second, third] = [wrapper('a', 'b'), wrapper('c'), wrapper('d')];
it.each([
  `${first}\n${second}\n${third}\n`,
  `${first}\n${second}\n${third}`,
  `${first}${second}\n${third}\n`,
  `${first}\r\n\r\n ${second} \n${third}${' '.repeat(2_000)}\n`,
  `${first}\n${second.replaceAll(',', ',\n')}\n${third}`,
  `${first}\n${second} ${third}\n`,
])('%j', (body) => {
  for (const chunkBytes of [1, 7, 60, 1e6]) {
    expect(recordsOf(body, chunkBytes)).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['d', 4],
    ]);
  }
});
