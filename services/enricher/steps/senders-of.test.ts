import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/harness/runs.js';
import { sendersOf } from './senders-of.js';

const parts = fc.constantFrom(
  '%',
  '%4',
  '%41',
  '%c3%a9',
  '%C3',
  '%ff',
  '%ed%a0%80',
  '%f0%9f%98%80',
  '+',
  'a',
  '.',
  '/',
);

test('a value is decoded like decodeURIComponent, and stays as sent if that refuses it', () => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (some) => {
      const sent = some.join('');
      let expected = sent;
      try {
        expected = decodeURIComponent(sent.replaceAll('+', ' '));
      } catch {}
      expect(sendersOf(`ref=${sent}`)).toEqual([{ value: expected, parameter: 'ref', campaign: '' }]);
    }),
    { numRuns: runs(5_000) },
  );
});
