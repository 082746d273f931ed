/** The maximum of bytes in one answer. 25,000 rows of long URLs are some 10 MB. */
const MOST_BYTES = 64 * 1024 ** 2;

/** A fetch whose answers fail beyond the limit, so a service cannot exhaust this process's memory. */
export function boundedFetch(fetchIt: typeof fetch, mostBytes = MOST_BYTES): typeof fetch {
  return async (input, init) => {
    const response = await fetchIt(input, init);
    if (response.body === null) return response;
    let bytes = 0;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength;
          if (bytes > mostBytes) throw new Error('the answer is too long');
          controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(counted, { status, statusText, headers });
  };
}
