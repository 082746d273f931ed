import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/harness/runs.js';
import { decodeBytes, withEscapedBytes } from './decode-bytes.js';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

test.each([
  ['a byte of Latin-1', latin1('/caf\xe9'), '/caf%E9'],
  [
    'between characters that are UTF-8',
    Buffer.concat([Buffer.from('/é'), latin1('\xe9'), Buffer.from('ツ😀')]),
    '/é%E9ツ😀',
  ],
  ['a character that is cut off', latin1('/\xe3\x83'), '/%E3%83'],
  ['a slash in too many bytes', latin1('/\xc0\xaf'), '/%C0%AF'],
  ['half of a pair', latin1('/\xed\xa0\x80'), '/%ED%A0%80'],
  ['what is beyond Unicode', latin1('/\xf4\x90\x80\x80\xff'), '/%F4%90%80%80%FF'],
  ['the replacement character itself', Buffer.from('/\ufffd'), '/\ufffd'],
])('%s keeps its bytes in a target', (_, bytes, target) => {
  expect(withEscapedBytes(decodeBytes(bytes))).toBe(target);
});

test('decodes UTF-8 like any decoder; other bytes become the replacement character when written again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = Buffer.from(`\ufffd${text}`);
      expect(decodeBytes(bytes)).toBe(bytes.toString('utf8'));
    }),
    { numRuns: runs(2_000) },
  );
  fc.assert(
    fc.property(fc.uint8Array(), (given) => {
      const bytes = Buffer.from(given);
      const written = Buffer.from(decodeBytes(bytes)).toString('utf8');
      // Decoders may replace several bytes by one character.
      expect(written.replace(/\ufffd+/g, '\ufffd')).toBe(
        bytes.toString('utf8').replace(/\ufffd+/g, '\ufffd'),
      );
    }),
    { numRuns: runs(2_000) },
  );
});
