import { classifySegments, isPageWord, splitExtension } from './classify-segment.js';

/**
 * The patterns of a site's URLs, learned from its paths alone: how often each is fetched changes none of them. What a part is by its
 * own text (classify-segment.ts) holds everywhere. Names become `{slug}` where many stand side by side. More paths make more of
 * them placeholders and rename nothing in other folders, so that the patterns of a site are the same from day to day.
 */

/** So many names side by side are slugs: in a folder, and at the top of a site, where sections and single pages stand together. */
const SIBLINGS = 5;
const TOP_SIBLINGS = 50;
/** A name with so many paths below it is a section and keeps its name, unless there are as many sections as this side by side. */
const SECTION_PATHS = 10;
const MOST_SECTIONS = 50;
/** Deeper parts of a path are told together. It bounds how often a part is looked at, so that all takes linear time. */
const MAX_DEPTH = 12;

/** Paths that do not begin with a slash: `*`, or what a proxy is asked for. */
const NO_PATH = '{other}';
const SLUG = '{slug}';

interface Node {
  readonly children: Map<string, Node>;
  /** Names of its own, not placeholders, among the children. */
  names: number;
  /** Distinct paths that go through it, those that end here included. */
  paths: number;
  /** Places of the paths that end here. */
  readonly ends: number[];
}

const newNode = (): Node => ({ children: new Map(), names: 0, paths: 0, ends: [] });

/** Takes a site's paths, as many at once as the caller likes, and tells their patterns when it has all. */
export interface PatternLearner {
  /** @param paths distinct, without query strings. */
  add(paths: readonly string[]): void;
  /** The pattern of each path, e.g. `/blog/{year}/{slug}`, in the order in which they came. For once: it takes the learned apart. */
  patterns(): string[];
}

export function createPatternLearner(): PatternLearner {
  const root = newNode();
  let count = 0;
  return {
    add(paths) {
      for (const path of paths) {
        if (path.startsWith('/')) add(root, labelsOf(path), count);
        count++;
      }
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
  const labels = classifySegments(segments.slice(0, MAX_DEPTH));
  return segments.length > MAX_DEPTH ? [...labels, '{deeper}'] : labels;
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
  const known = node.children.get(label);
  if (known !== undefined) return known;
  const made = newNode();
  node.children.set(label, made);
  if (isName(label)) node.names++;
  return made;
}

/** An empty one is the slash at a path's end. What page numbers stand below is a name like no other. */
function isName(label: string): boolean {
  return label !== '' && !label.includes('{') && !isPageWord(label);
}

/** Tells the paths below a node their pattern, from the top down: what became one placeholder is looked at as one. */
function nameEnds(node: Node, pattern: string, isTop: boolean, patterns: string[]): void {
  for (const place of node.ends) patterns[place] = pattern;
  if (node.names >= (isTop ? TOP_SIBLINGS : SIBLINGS)) joinNames(node);
  for (const [label, child] of node.children) {
    // Below a language everything stands as it does at the top.
    nameEnds(child, `${pattern}/${label}`, isTop && label === '{lang}', patterns);
  }
}

/** Makes one child of all names, but for sections; of file names one for each extension. */
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

/** Moves all of `from` into `into`. A part is moved once for each folder above it at most. */
function join(into: Node, from: Node): void {
  into.paths += from.paths;
  for (const place of from.ends) into.ends.push(place);
  for (const [label, child] of from.children) {
    const known = into.children.get(label);
    if (known !== undefined) {
      join(known, child);
      continue;
    }
    into.children.set(label, child);
    if (isName(label)) into.names++;
  }
}
