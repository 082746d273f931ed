/**
 * The lines of a file that can't be read to its end: all that are whole. The last one is left out, since it may be cut off.
 */

const LINE_FEED = 10;

/**
 * @param mostBytes a longer begin of a line is given on
 * @param onFailure called with what reading throws; the lines end there
 */
export async function* wholeLines(
  chunks: AsyncIterable<Buffer>,
  mostBytes: number,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      const end = chunk.lastIndexOf(LINE_FEED) + 1;
      if (end > 0 || bytes + chunk.length > mostBytes) {
        const to = end > 0 ? end : chunk.length;
        yield Buffer.concat([...held, chunk.subarray(0, to)]);
        held = to < chunk.length ? [chunk.subarray(to)] : [];
        bytes = chunk.length - to;
      } else {
        held.push(chunk);
        bytes += chunk.length;
      }
    }
  } catch (error) {
    onFailure(error);
    return;
  }
  if (bytes > 0) yield Buffer.concat(held);
}
