import { createHash } from 'node:crypto';
import { z } from 'zod';
import { eventKinds } from '../decide/kinds.js';

/** Increase it when an `evolve` changes its effect on the state, or a snapshot its form (snapshot.ts). */
const FOLD_VERSION = 1;

/**
 * Hash of the event kinds and their schemas: a snapshot is used only on a match. An older release skips unknown kinds
 * of events, so its state lacks their effects. A newer one may read a known kind differently, for example with a new
 * default field.
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
