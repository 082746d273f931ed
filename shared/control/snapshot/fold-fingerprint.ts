import { createHash } from 'node:crypto';
import { z } from 'zod';
import { eventKinds } from '../decide/kinds.js';

/** To be raised when an `evolve` changes what it does to the state, or a snapshot its form (snapshot.ts). */
const FOLD_VERSION = 1;

/**
 * Hash of the event kinds and their schemas: a snapshot is used only on a match. An older release steps over kinds of events that it does not know, so
 * its state lacks what they did, and nobody would fold them again; a newer one that reads a known kind otherwise (a
 * field with a default has come) would miss it in every row.
 */
export function foldFingerprint(kinds = eventKinds, version = FOLD_VERSION): string {
  const known = kinds
    .map(
      ({ type, schema }) => [type, z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })] as const,
    )
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([version, known]))
    .digest('hex');
}
