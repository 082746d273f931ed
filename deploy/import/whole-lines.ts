/**
 * Yields the complete lines of a file that can't be read to its end. The last line is omitted, since it may be truncated.
 */

const LINE_FEED = 10;

/**
 * @param mostBytes a longer start of a line is yielded at once
 * @param onFailure called with the read error, after which no lines follow
 */
export async function* wholeLines(
  chunks: AsyncIterable<Buffer>,
  mostBytes: number,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      const end = chunk.lastIndexOf(LINE_FEED) + 1;
      if (end > 0 || bytes + chunk.length > mostBytes) {
        const to = end > 0 ? end : chunk.length;
        yield Buffer.concat([...rest, chunk.subarray(0, to)]);
        rest = to < chunk.length ? [chunk.subarray(to)] : [];
        bytes = chunk.length - to;
      } else {
        rest.push(chunk);
        bytes += chunk.length;
      }
    }
  } catch (error) {
    onFailure(error);
    return;
  }
  if (bytes > 0) yield Buffer.concat(rest);
}
