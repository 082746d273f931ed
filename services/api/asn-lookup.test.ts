import { expect, test } from 'vitest';
import { createAsnLookup } from './asn-lookup.js';

test('the table is opened by the first question and by no other', () => {
  let opened = 0;
  const asnOf = createAsnLookup(() => {
    opened += 1;
    return {
      networkOf: (address) => (address === 0xc0000207 ? { asn: 64500, name: 'Example' } : null),
      nameOf: () => '',
    };
  });
  expect(opened).toBe(0);
  expect(['192.0.2.7', '192.0.2.8', 'no address'].map(asnOf)).toEqual([64500, null, null]);
  expect(opened).toBe(1);
});
