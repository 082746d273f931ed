import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventKinds } from '../decide/kinds.js';
import { eventKind } from '../domain/event.js';
import { foldFingerprint } from './fold-fingerprint.js';

const renamed = eventKind({
  aggregate: 'organisation',
  type: 'organisation.renamed',
  schema: z.object({ name: z.string() }),
  evolve() {},
});

test('the order of the list does not matter', () => {
  expect(foldFingerprint([...eventKinds].reverse())).toBe(foldFingerprint());
  expect(foldFingerprint()).toMatch(/^[0-9a-f]{64}$/);
});

test('another set of kinds, another field or another fold version changes the fingerprint', () => {
  const withField = { ...renamed, schema: renamed.schema.extend({ reason: z.string().default('none') }) };
  const withDefault = { ...renamed, schema: renamed.schema.extend({ reason: z.string().default('some') }) };
  const prints = [
    foldFingerprint(),
    foldFingerprint(eventKinds.slice(1)),
    foldFingerprint([...eventKinds, renamed]),
    foldFingerprint([...eventKinds, withField]),
    foldFingerprint([...eventKinds, withDefault]),
    foldFingerprint(eventKinds, 2),
  ];
  expect(new Set(prints).size).toBe(prints.length);
});
