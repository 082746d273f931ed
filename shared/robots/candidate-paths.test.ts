import fc from 'fast-check';
import { expect, test } from 'vitest';
import { candidatePaths, needsQuery } from './candidate-paths.js';
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

/** As RE2 reads it. */
const matches = (expression: string, path: string) =>
  new RegExp(expression.replace('(?s)', ''), 's').test(path);

/** A path that the first rule is likely to match, or any other. */
const nearby = fc
  .tuple(rules, textOf(urlPiece), textOf(urlPiece), fc.boolean())
  .map(([some, path, filling, isNear]) => {
    const near = some[0]!.path.replace(/\$$/, '').replaceAll('*', filling).split('?')[0]!;
    return { some, path: isNear ? near + path.slice(1) : path };
  });

test('no path that a rule disallows is left out of those that are looked at', () => {
  let disallowed = 0;
  fc.assert(
    fc.property(nearby, fc.constantFrom('', '?', '?a', '?b.=/a'), ({ some, path }, query) => {
      const expression = candidatePaths(some, query !== '');
      if (expression === null || createRuleMatcher(some)(path + query) === null) return;
      disallowed += 1;
      expect(matches(expression, path)).toBe(true);
    }),
    { numRuns: 10_000 },
  );
  expect(disallowed).toBeGreaterThan(300);
});

test('paths that no rule can disallow are left out, and all are looked at where any may be', () => {
  const of = (...paths: string[]) =>
    candidatePaths(
      paths.map((path) => ({ type: 'disallow', path })),
      false,
    );
  const expression = of('/admin/', '/*.pdf$', '/search?q=')!;
  expect(['/admin/x', '/a/b.pdf', '/search', '/%61'].map((path) => matches(expression, path))).toEqual(
    Array.from({ length: 4 }, () => true),
  );
  expect(['/', '/adm', '/a.pdf.html', '/Admin/'].map((path) => matches(expression, path))).toEqual(
    Array.from({ length: 4 }, () => false),
  );
  expect(of('/')).toBeNull();
  expect(of('/a', '/*')).toBeNull();
  expect(of(...Array.from({ length: 3_000 }, (_, index) => `/page-${index}`))).toBeNull();
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

test('where the rules need no query string, its text changes nothing', () => {
  let needless = 0;
  fc.assert(
    fc.property(rules, textOf(urlPiece), textOf(urlPiece), (some, path, query) => {
      if (needsQuery(some)) return;
      needless += 1;
      const judge = createRuleMatcher(some);
      expect(judge(`${path}?${query}`)).toEqual(judge(`${path}?`));
    }),
    { numRuns: 10_000 },
  );
  expect(needless).toBeGreaterThan(100);
});
