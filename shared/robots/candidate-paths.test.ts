import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../test/harness/runs.js';
import { type CandidatePaths, candidatePaths, needsQuery } from './candidate-paths.js';
import { createRuleMatcher } from './match-rules.js';

const rulePiece = fc.constantFrom('/', 'a', 'b.', '*', '%61', '%2F', '$', '?', '=', '&', 'ツ', '_', '{');
const urlPiece = fc.constantFrom(
  '/',
  'a',
  'b.',
  'bx',
  '%61',
  '%2f',
  '$',
  '*',
  '_',
  '{',
  'ツ',
  '%E3%83%84',
  '\n',
);
const textOf = (piece: fc.Arbitrary<string>) =>
  fc.array(piece, { maxLength: 6 }).map((parts) => `/${parts.join('')}`);
const rules = fc.array(
  fc.record({ type: fc.constantFrom('allow' as const, 'disallow' as const), path: textOf(rulePiece) }),
  { minLength: 1, maxLength: 4 },
);

/** The same test as in the engine's clause. */
const isCandidate = ({ beginnings, parts }: CandidatePaths, path: string) =>
  parts.some((part) => path.includes(part)) || beginnings.some((beginning) => path.startsWith(beginning));

/** A path that the first rule is likely to match, or any other path. */
const nearby = fc
  .tuple(rules, textOf(urlPiece), textOf(urlPiece), fc.boolean())
  .map(([some, path, filling, isNear]) => {
    const near = some[0]!.path.replace(/\$$/, '').replaceAll('*', filling).split('?')[0]!;
    return { some, path: isNear ? near + path.slice(1) : path };
  });

test('every path that a rule disallows is a candidate', () => {
  let disallowed = 0;
  fc.assert(
    fc.property(nearby, fc.constantFrom('', '?', '?a', '?b.=/a'), ({ some, path }, query) => {
      const candidates = candidatePaths(some, query !== '');
      if (candidates === null || createRuleMatcher(some)(path + query) === null) return;
      disallowed += 1;
      expect(isCandidate(candidates, path)).toBe(true);
    }),
    { numRuns: runs(10_000) },
  );
  expect(disallowed).toBeGreaterThan(0.03 * runs(10_000));
});

const of = (paths: readonly string[], hasQuery = false) =>
  candidatePaths(
    paths.map((path) => ({ type: 'disallow', path })),
    hasQuery,
  );

test('paths that no rule can disallow are excluded, and all paths are candidates if any may be disallowed', () => {
  const candidates = of(['/admin/', '/*.pdf$', '/search?q=', '/page', '/*/print'])!;
  const kept = (...paths: string[]) => paths.map((path) => isCandidate(candidates, path));
  expect(kept('/admin/x', '/a/b.pdf', '/page', '/%61', '/a/print/b')).not.toContain(false);
  expect(kept('/', '/adm', '/a.pd', '/Admin/', '/search', '/prin')).not.toContain(true);
  expect(isCandidate(of(['/search?q='], true)!, '/search')).toBe(true);
  expect(of(['/'])).toBeNull();
  expect(of(['/a', '/*'])).toBeNull();
  expect(of(['/*.pdf'], true)).toBeNull();
  expect(
    candidatePaths(
      [
        { type: 'allow', path: '/' },
        { type: 'disallow', path: '/a' },
      ],
      false,
    ),
  ).not.toBeNull();
});

test("the engine's condition is short for any rules, and has none of their wildcards", () => {
  const many = of(Array.from({ length: 3_000 }, (_, index) => `/page-${index}`))!;
  expect(many.beginnings.length).toBeGreaterThan(1);
  expect(isCandidate(many, '/about')).toBe(false);
  const text = fc.array(rulePiece, { maxLength: 40 }).map((parts) => `/${parts.join('')}`);
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 200 }), fc.boolean(), (paths, hasQuery) => {
      const candidates = of(paths, hasQuery);
      if (candidates === null) return;
      expect(candidates.beginnings.join('').length).toBeLessThanOrEqual(8_000);
      expect(candidates.parts.length).toBeLessThanOrEqual(16);
      for (const literal of candidates.beginnings) expect(literal).toMatch(/^[A-Za-z0-9/_~.-]{2,32}$/);
      for (const literal of candidates.parts) expect(literal).toMatch(/^(?:%|[A-Za-z0-9/_~.-]{2,12})$/);
    }),
  );
});

test('if the rules need no query string, its text has no effect', () => {
  let needless = 0;
  fc.assert(
    fc.property(rules, textOf(urlPiece), textOf(urlPiece), (some, path, query) => {
      if (needsQuery(some)) return;
      needless += 1;
      const judge = createRuleMatcher(some);
      expect(judge(`${path}?${query}`)).toEqual(judge(`${path}?`));
    }),
    { numRuns: runs(10_000) },
  );
  expect(needless).toBeGreaterThan(0.01 * runs(10_000));
});
