/** An answer is longer than any that an instance gives. */
export class AnswerTooLong extends Error {
  constructor(most: number) {
    super(`the answer has more than ${most} bytes`);
  }
}

/** The text of an answer. Any program may answer at an address, so the length has a bound. @throws AnswerTooLong */
export async function boundedText({ body }: Response, mostBytes: number): Promise<string> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > mostBytes) throw new AnswerTooLong(mostBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
