/** A path with its counts, as getPathExplorer returns it. */
export interface CrawledPath {
  readonly path: string;
  readonly requests: number;
  readonly verified_requests: number;
  readonly status_2xx: number;
  readonly status_3xx: number;
  readonly status_4xx: number;
  readonly status_5xx: number;
}

export interface Directory {
  /** With a slash at both ends: `/blog/`. */
  readonly path: string;
  requests: number;
  verified_requests: number;
  status_2xx: number;
  status_3xx: number;
  status_4xx: number;
  status_5xx: number;
  /** Distinct paths below it. */
  paths: number;
  /** Most requests first. */
  children: Directory[];
}

/** Directories nested deeper are counted in their ancestor of this level. */
const DEEPEST = 4;

/** Adds paths up into the tree of their directories. Directories of one path are left out: the path itself says more. */
export function directoriesOf(paths: readonly CrawledPath[]): Directory {
  const known = new Map<string, Directory>();
  const root = directoryAt('/');
  known.set('/', root);
  for (const counts of paths) {
    add(root, counts);
    let parent = root;
    for (const path of ancestorsOf(counts.path)) {
      let directory = known.get(path);
      if (directory === undefined) {
        directory = directoryAt(path);
        known.set(path, directory);
        parent.children.push(directory);
      }
      add(directory, counts);
      parent = directory;
    }
  }
  for (const directory of known.values())
    directory.children = directory.children
      .filter(({ paths: count }) => count > 1)
      .sort((a, b) => b.requests - a.requests);
  return root;
}

/** `/a/b/c` is in `/a/` and `/a/b/`. */
function ancestorsOf(path: string): string[] {
  const ancestors: string[] = [];
  for (
    let slash = path.indexOf('/', 1);
    slash > 0 && ancestors.length < DEEPEST;
    slash = path.indexOf('/', slash + 1)
  )
    ancestors.push(path.slice(0, slash + 1));
  return ancestors;
}

function directoryAt(path: string): Directory {
  return {
    path,
    requests: 0,
    verified_requests: 0,
    status_2xx: 0,
    status_3xx: 0,
    status_4xx: 0,
    status_5xx: 0,
    paths: 0,
    children: [],
  };
}

function add(directory: Directory, counts: CrawledPath): void {
  directory.paths += 1;
  directory.requests += counts.requests;
  directory.verified_requests += counts.verified_requests;
  directory.status_2xx += counts.status_2xx;
  directory.status_3xx += counts.status_3xx;
  directory.status_4xx += counts.status_4xx;
  directory.status_5xx += counts.status_5xx;
}
