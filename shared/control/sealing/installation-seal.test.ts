import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryRing } from '../../../test/harness/api.js';
import { createInstallationSeal } from './installation-seal.js';

const seal = createInstallationSeal(memoryRing(), randomBytes);

test('opens what it sealed for the purpose, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 1_000 }), async (text) => {
      const sealed = await seal.seal('one', text);
      expect(sealed).toMatch(/^[\w.-]+$/);
      expect(await seal.open('one', sealed)).toBe(text);
      expect(await seal.open('other', sealed)).toBeNull();
    }),
  );
});

test('refuses every changed, shortened or lengthened text', async () => {
  const sealed = await seal.seal('one', JSON.stringify(['Claude', ['https://claude.ai/callback']]));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(sealed.length - 1),
      fc.constantFrom(...'ABab01_-.', ''),
      async (at, character) => {
        fc.pre(sealed[at] !== character);
        expect(await seal.open('one', sealed.slice(0, at) + character + sealed.slice(at + 1))).toBeNull();
      },
    ),
    { numRuns: 500 },
  );
  for (const other of ['', '.', `${sealed}A`, `${sealed}.`, sealed.repeat(40), `${sealed}\n`, '\0\u202e'])
    expect(await seal.open('one', other)).toBeNull();
});

test('another installation opens nothing', async () => {
  const other = createInstallationSeal(memoryRing(), randomBytes);
  expect(await other.open('one', await seal.seal('one', 'text'))).toBeNull();
});
