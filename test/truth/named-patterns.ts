import type { PatternOf } from './expected-crawlers.js';

/** The pattern of a URL among those of an answer, by the patterns' texts only. */

const placeholders = new Map([
  ['lang', '[a-z]{2}(?:[-_][a-z]{2})?'],
  ['number', '\\d+'],
  ['page', '\\d+'],
  ['year', '(?:19|20)\\d\\d'],
  ['month', '\\d\\d'],
  ['day', '\\d\\d'],
  ['date', '\\d{4}-\\d\\d(?:-\\d\\d)?'],
  ['uuid', '[0-9a-f-]{36}'],
  ['hash', '[0-9a-f]{8,}'],
  ['id', '[A-Za-z0-9_-]+'],
  ['slug', '[^/]+'],
  ['deeper', '.+'],
]);

interface Named {
  readonly name: string;
  readonly type: string;
  readonly hasQuery: boolean;
  readonly matches: RegExp;
  /** Characters outside of placeholders. */
  readonly literal: number;
}

const PARAMS = '?{params}';

function named(name: string): Named {
  const hasQuery = name.endsWith(PARAMS);
  const path = hasQuery ? name.slice(0, -PARAMS.length) : name;
  const parts = path.split(/\{(\w+)\}/);
  const source = parts.map((part, index) =>
    index % 2 === 1 ? placeholders.get(part)! : part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'),
  );
  const literal = parts.reduce((sum, part, index) => sum + (index % 2 === 1 ? 0 : part.length), 0);
  const type = hasQuery ? 'parameters' : typeOf(path);
  return { name, type, hasQuery, literal, matches: new RegExp(`^${source.join('')}$`, 'i') };
}

const PAGES = ['html', 'htm', 'xhtml', 'php', 'asp', 'aspx', 'jsp'];

/** The first type that applies, in the document's order. */
function typeOf(pattern: string): string {
  const has = (...names: string[]) => names.some((name) => pattern.includes(`{${name}}`));
  const extension = /[^/]\.([a-z][a-z0-9]{0,4})$/i.exec(pattern)?.[1];
  if (has('page')) return 'pagination';
  if (extension !== undefined && !PAGES.includes(extension)) return 'file';
  if (has('date', 'year')) return 'date';
  if (has('number', 'uuid', 'hash', 'id')) return 'id';
  if (has('slug', 'deeper')) return 'slug';
  return has('lang') ? 'language' : 'static';
}

/**
 * Among the patterns that match a path, the most specific one counts: `/blog` before `/{slug}`.
 * @returns a function that throws if no pattern matches, or two are equally specific
 */
export function patternsNamed(names: readonly string[]): PatternOf {
  const all = names.map(named).sort((a, b) => b.literal - a.literal);
  const known = new Map<string, readonly [string, string]>();
  return ({ path, query }) => {
    const key = `${query !== ''} ${path}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const [best, next] = all.filter(
      ({ hasQuery, matches }) => hasQuery === (query !== '') && matches.test(path),
    );
    if (best === undefined || best.literal === next?.literal)
      throw new Error(
        `${path} is ${best === undefined ? 'of no pattern' : `${best.name} and ${next?.name}`}`,
      );
    const found = [best.name, best.type] as const;
    known.set(key, found);
    return found;
  };
}
