import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CutOptions, type CutPart, cutParts, NoLogFile } from './cut-parts.js';

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const known = (parts: readonly CutPart[]): Pick<CutOptions, 'knownSizes' | 'isKnown'> => ({
  knownSizes: (before) => parts.filter((part) => part.before === before).map(({ bytes }) => bytes.length),
  isKnown: (before, after) => parts.some((part) => part.before === before && part.after === after),
});

async function cut(
  text: string,
  {
    imported = [],
    chunkBytes = 1_000,
    partBytes = 50,
  }: { imported?: CutPart[]; chunkBytes?: number; partBytes?: number } = {},
): Promise<CutPart[]> {
  const parts: CutPart[] = [];
  const options = { beginning: 'none', partBytes, mostBytes: 10_000, ...known(imported) };
  for await (const part of cutParts(chunksOf(Buffer.from(text), chunkBytes), options)) parts.push(part);
  return parts;
}

const textOf = (parts: readonly CutPart[]) => parts.map(({ bytes }) => bytes.toString());
const line = fc
  .string({ unit: 'binary-ascii', maxLength: 40 })
  .map((text) => `x${text.replace(/[\r\n]/g, '')}`);
const lines = fc.array(line, { maxLength: 40 });
const size = fc.integer({ min: 1, max: 300 });

describe('a file', () => {
  it('is cut into the same parts of whole lines for any size of reads', async () => {
    await fc.assert(
      fc.asyncProperty(lines, size, fc.boolean(), async (all, chunkBytes, endsLine) => {
        const text = all.join('\n') + (endsLine ? '\n' : '');
        const parts = await cut(text, { chunkBytes });
        expect(textOf(parts).join('')).toBe(text);
        for (const part of textOf(parts).slice(0, -1)) expect(part.endsWith('\n')).toBe(true);
        expect(parts.map(({ after }) => after)).toEqual((await cut(text)).map(({ after }) => after));
      }),
    );
  });

  it('that was imported is recognised to its last byte, for any subset of known parts', async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.array(fc.boolean(), { maxLength: 40 }), async (all, lost) => {
        const text = all.join('\n');
        const first = await cut(text);
        const imported = first.filter((_, index) => !lost[index]);
        const again = await cut(text, { imported, chunkBytes: 7 });
        expect(textOf(again)).toEqual(textOf(first));
        expect(again.map(({ isKnown }) => isKnown)).toEqual(first.map((_, index) => !lost[index]));
      }),
    );
  });

  it('that has grown sends its new lines, and its last line again if that line has grown', async () => {
    await fc.assert(
      fc.asyncProperty(lines, lines, async (all, more) => {
        const before = all.map((one) => `${one}\n`).join('');
        const added = more.map((one) => `${one}\n`).join('');
        const again = await cut(before + added, { imported: await cut(before) });
        expect(textOf(again.filter(({ isKnown }) => !isKnown)).join('')).toBe(added);
      }),
    );
    const half = await cut('first\nsecond\nthi');
    expect(textOf(half)).toEqual(['first\nsecond\n', 'thi']);
    const whole = await cut('first\nsecond\nthird\nlast\n', { imported: half });
    expect(whole.map(({ isKnown, bytes }) => [isKnown, bytes.toString()])).toEqual([
      [true, 'first\nsecond\n'],
      [false, 'third\nlast\n'],
    ]);
    const ended = await cut('first\nsecond\nthi\nlast\n', { imported: half });
    expect(textOf(ended.filter(({ isKnown }) => !isKnown))).toEqual(['\nlast\n']);
  });

  it('with another start is another file', async () => {
    const imported = await cut('one\ntwo\n');
    expect((await cut('two\n', { imported })).map(({ isKnown }) => isKnown)).toEqual([false]);
  });

  it('of multi-line JSON objects is cut between objects', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ a: fc.string(), b: fc.array(fc.nat()) })),
        size,
        async (all, chunkBytes) => {
          const text = all.map((one) => JSON.stringify(one, null, 1)).join('\n');
          for (const part of textOf(await cut(text, { chunkBytes })))
            expect(() => JSON.parse(`[${part.replaceAll('\n}\n{', '\n},{')}]`)).not.toThrow();
        },
      ),
    );
  });

  it('without line ends is refused before it fills the memory', async () => {
    await expect(cut('x'.repeat(100_000))).rejects.toThrow(NoLogFile);
  });
});
