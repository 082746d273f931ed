import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseEncoding, encodedBody, entityTag, namesTag, sizeOf } from './encoded-body.js';

const long = encodedBody(JSON.stringify(Array.from({ length: 200 }, (_, index) => ({ index, path: '/a' }))));
const short = encodedBody('{}');

describe('the encoding of an answer', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['GZIP;q=0.1', 'gzip'],
    ['gzip;q=0, br;q=0', null],
    ['gzip;q=x', null],
    ['identity', null],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['deflate, *;q=0', null],
    [`${'x,'.repeat(400)}gzip`, null],
  ])('for Accept-Encoding %j is %s', (accepted, encoding) => {
    expect(chooseEncoding(accepted, long)).toBe(encoding);
  });

  it('is none if compression saves nothing', () => {
    expect(chooseEncoding('gzip, br', short)).toBeNull();
  });

  it('does not depend on the other parts of the header, and never throws', () => {
    fc.assert(
      fc.property(fc.string(), (accepted) => {
        expect(['br', 'gzip', null]).toContain(chooseEncoding(accepted, long));
      }),
    );
  });

  it('decodes to the same text, is made once, and takes no more than its stated size', async () => {
    const gzip = await long.as('gzip');
    const br = await long.as('br');
    expect(gunzipSync(gzip).equals(long.plain)).toBe(true);
    expect(brotliDecompressSync(br).equals(long.plain)).toBe(true);
    expect(await long.as('gzip')).toBe(gzip);
    expect(long.plain.length + gzip.length + br.length).toBeLessThanOrEqual(sizeOf(long));
  });
});

describe('the validator of an answer', () => {
  it('is equal for equal texts, and differs by text and by encoding', () => {
    expect(entityTag(encodedBody('{}'), null)).toBe(entityTag(short, null));
    const tags = [encodedBody('{"a":1}'), short].flatMap((body) =>
      [null, 'gzip' as const, 'br' as const].map((encoding) => entityTag(body, encoding)),
    );
    expect(new Set(tags).size).toBe(6);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
  });

  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", W/"a" ,"c"', true],
    ['*', true],
    [undefined, false],
    ['', false],
    ['a', false],
    ['"b"', false],
    ['"ab"', false],
  ])('"a" is named by %j: %s', (header, named) => {
    expect(namesTag(header, '"a"')).toBe(named);
  });
});
