import type { Answer } from '../../api/operations.js';

type Counts = Answer<'getPathExplorer'>['directories'][number];

export interface Directory extends Counts {
  /** Most requests first. */
  readonly children: Directory[];
}

/** The tree of directories. Directories of one path are left out: the path itself says more. Null: no directory is known. */
export function treeOf(directories: readonly Counts[]): Directory | null {
  const known = new Map<string, Directory>(
    directories.map((counts) => [counts.directory, { ...counts, children: [] }]),
  );
  for (const directory of known.values())
    if (directory.paths > 1) known.get(parentOf(directory.directory))?.children.push(directory);
  return known.get('/') ?? null;
}

/** `/a/b/` is in `/a/`; '': `/` is in no directory. */
function parentOf(directory: string): string {
  return directory === '/' ? '' : directory.slice(0, directory.lastIndexOf('/', directory.length - 2) + 1);
}
