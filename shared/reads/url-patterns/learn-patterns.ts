import { classifySegments, isPageWord, splitExtension } from './classify-segment.js';

/**
 * Learns the patterns of a website's URLs from its paths, independent of the number of fetches. The class of a segment's own text
 * (classify-segment.ts) applies everywhere. Names become `{slug}` if there are many siblings. More paths turn more names into placeholders,
 * but rename nothing in other folders, so that patterns are stable from day to day.
 */

/** This many sibling names are slugs: in a folder, and at the top of a website, which has both sections and single pages. */
const SIBLINGS = 5;
const TOP_SIBLINGS = 50;
/** A name with this many paths below it is a section and keeps its name, unless this many siblings are sections. */
const SECTION_PATHS = 10;
const MOST_SECTIONS = 50;
/** Deeper segments share one placeholder. The bound keeps the total time linear. */
const MAX_DEPTH = 12;

/** Paths without a leading slash: `*`, or the target of a proxy request. */
const NO_PATH = '{other}';
const SLUG = '{slug}';

interface Node {
  readonly children: Map<string, Node>;
  /** Children that are names and not placeholders. */
  names: number;
  /** Distinct paths through this node, including those that end here. */
  paths: number;
  /** Indexes of the paths that end here. */
  readonly ends: number[];
}

const newNode = (): Node => ({ children: new Map(), names: 0, paths: 0, ends: [] });

/** Takes a website's paths, and returns their patterns at the end. */
export interface PatternLearner {
  /** @param path without a query string; each path only once. */
  add(path: string): void;
  /** The pattern of each path, e.g. `/blog/{year}/{slug}`, in input order. Call it only once: it consumes the learned tree. */
  patterns(): string[];
}

export function createPatternLearner(): PatternLearner {
  const root = newNode();
  let count = 0;
  return {
    add(path) {
      if (path.startsWith('/')) add(root, labelsOf(path), count);
      count++;
    },
    patterns() {
      const patterns = new Array<string>(count).fill(NO_PATH);
      nameEnds(root, '', true, patterns);
      return patterns;
    },
  };
}

function labelsOf(path: string): string[] {
  const segments = path.slice(1).split('/', MAX_DEPTH + 1);
  if (segments.length <= MAX_DEPTH) return classifySegments(segments);
  return [...classifySegments(segments.slice(0, MAX_DEPTH)), '{deeper}'];
}

function add(root: Node, labels: readonly string[], place: number): void {
  let node = root;
  node.paths++;
  for (const label of labels) {
    node = childOf(node, label);
    node.paths++;
  }
  node.ends.push(place);
}

function childOf(node: Node, label: string): Node {
  const child = node.children.get(label);
  if (child !== undefined) return child;
  const made = newNode();
  node.children.set(label, made);
  if (isName(label)) node.names++;
  return made;
}

/** An empty label is the slash at a path's end. The parent of page numbers never becomes a slug. */
function isName(label: string): boolean {
  return label !== '' && !label.includes('{') && !isPageWord(label);
}

/** Assigns a pattern to the paths below a node, from the top down: nodes merged into one placeholder are processed as one. */
function nameEnds(node: Node, pattern: string, isTop: boolean, patterns: string[]): void {
  for (const place of node.ends) patterns[place] = pattern;
  if (node.names >= (isTop ? TOP_SIBLINGS : SIBLINGS)) joinNames(node);
  for (const [label, child] of node.children) {
    // Below a language the rules of the top apply.
    nameEnds(child, `${pattern}/${label}`, isTop && label === '{lang}', patterns);
  }
}

/** Merges the children that are names into one, except sections; file names into one for each extension. */
function joinNames(node: Node): void {
  const names = [...node.children].filter(([label]) => isName(label));
  const isSection = (child: Node) => child.paths - child.ends.length >= SECTION_PATHS;
  const sections = names.filter(([, child]) => isSection(child)).length;
  for (const [label, child] of names) {
    if (sections < MOST_SECTIONS && isSection(child)) continue;
    node.children.delete(label);
    join(childOf(node, `${SLUG}${splitExtension(label).extension}`), child);
  }
}

/** Moves all of `from` into `into`. A node moves at most once for each folder above it. */
function join(into: Node, from: Node): void {
  into.paths += from.paths;
  for (const place of from.ends) into.ends.push(place);
  for (const [label, child] of from.children) {
    const existing = into.children.get(label);
    if (existing !== undefined) {
      join(existing, child);
      continue;
    }
    into.children.set(label, child);
    if (isName(label)) into.names++;
  }
}
