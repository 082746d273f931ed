import { expect, test } from 'vitest';
import { createAsnLookup } from './asn-lookup.js';

test('only the first lookup opens the table', () => {
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
