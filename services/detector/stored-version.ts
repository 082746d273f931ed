/** A later release wrote it, whose work must not be undone by beginning anew: only such a release can go on from it. */
export class LaterReleaseError extends Error {}

/**
 * Of a text in the table `detector_states`. @param own the version that this release writes
 * @throws LaterReleaseError where the text's version is higher
 */
export function requireNotLater(stored: unknown, own: number): void {
  const version = (stored as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > own)
    throw new LaterReleaseError(`a state of version ${version}: this release reads versions up to ${own}`);
}
