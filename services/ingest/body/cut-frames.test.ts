import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFrameCutter } from './cut-frames.js';

/** The output for the body in chunks of these sizes. */
function cut(body: Buffer, sizes: readonly number[]): string {
  const got: Buffer[] = [];
  const cutter = createFrameCutter();
  let at = 0;
  for (let turn = 0; at < body.length; turn++) {
    const end = at + Math.max(1, sizes[turn % sizes.length] ?? 1);
    got.push(...cutter.cut(body.subarray(at, end)));
    at = end;
  }
  got.push(cutter.end());
  return Buffer.concat(got).toString();
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
const message = fc
  .string({ unit: fc.constantFrom('a', 'é', ' ', '<', '1', '9', '"', '\r'), maxLength: 30 })
  .map((text) => `<134>1 ${text}`);
const framed = (text: string) => `${Buffer.byteLength(text)} ${text}`;

it('ends each counted message with a line end, however the body is cut into chunks', () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1 }), fc.boolean(), sizes, (messages, hasLineEnds, some) => {
      const body = messages.map(framed).join(hasLineEnds ? '\n' : '');
      expect(cut(Buffer.from(body), some)).toBe(messages.map(framed).join('\n'));
    }),
  );
});

it('leaves other text as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), sizes, (text, some) => {
      fc.pre(!/^\d{1,6} </.test(text));
      expect(cut(Buffer.from(text), some)).toBe(Buffer.from(text).toString());
    }),
  );
});
