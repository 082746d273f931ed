import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressLists, impostorLists, pathLists, runs } from '../../../test/harness/api/snippet-entries.js';
import { cloudflare, MAX_EXPRESSION } from './cloudflare.js';
import { goablePaths } from './gone-paths.js';

/** As in the test of the other targets, each expression is parsed and contains exactly the entries. */

describe('cloudflare', () => {
  it('contains only addresses, in expressions within the limit', () => {
    fc.assert(
      fc.property(addressLists, (addresses) => {
        const { text, count } = cloudflare.blockIps(addresses);
        const read = expressionsOf(text).flatMap((tokens) => {
          expect(tokens.slice(0, 4)).toEqual(['(', 'ip.src', 'in', '{']);
          expect(tokens.slice(-2)).toEqual(['}', ')']);
          return tokens.slice(4, -2);
        });
        expect(read).toEqual(addresses);
        expect(count).toBe(addresses.length);
      }),
      runs,
    );
  });

  it('matches a name only together with its addresses', () => {
    fc.assert(
      fc.property(impostorLists, (impostors) => {
        const { text, count } = cloudflare.blockBots(impostors);
        const clauses = expressionsOf(text).flatMap(clausesOf);
        expect(clauses.every(({ addresses }) => addresses.length > 0)).toBe(true);
        const read = clauses.flatMap(({ part, addresses }) => addresses.map((one) => `${one} ${part}`));
        const given = impostors.flatMap(({ userAgentPart, addresses }) =>
          addresses.map((one) => `${one} ${userAgentPart.toLowerCase()}`),
        );
        expect(read).toEqual(given);
        expect(count).toBe(given.length);
      }),
      runs,
    );
  });

  it('contains only as much of a long name as fits with its addresses', () => {
    const addresses = Array.from({ length: 60 }, (_, index) => `192.0.2.${index}`);
    const named = { name: 'x', addresses, realOneSeen: false, isSearchCrawler: false };
    const { text } = cloudflare.blockBots([{ ...named, userAgentPart: 'x"'.repeat(3_000) }]);
    expect(expressionsOf(text).flatMap(clausesOf)).toEqual([{ part: 'x"'.repeat(100), addresses }]);
  });

  it('contains only paths', () => {
    fc.assert(
      fc.property(pathLists, (hostile) => {
        const paths = goablePaths(hostile);
        const { text } = cloudflare.gone(paths);
        const read = expressionsOf(text).flatMap((tokens) => tokens.slice(4, -2).map(unquoteExpression));
        expect(read).toEqual(paths);
      }),
      runs,
    );
  });
});

/** Tokens of each expression of the Rules language. @throws for invalid text. */
function expressionsOf(text: string): string[][] {
  return text === ''
    ? []
    : splitParagraphs(text).map((expression) => {
        expect(expression.length).toBeLessThanOrEqual(MAX_EXPRESSION);
        const tokens: string[] = [];
        const token = /\s*("(?:[^"\\]|\\["\\])*"|[(){}]|[A-Za-z_][\w.]*(?=[\s()])|[0-9a-f.:]+(?=[\s}]))/y;
        while (token.lastIndex < expression.trimEnd().length) {
          const at = token.lastIndex;
          const found = token.exec(expression);
          if (found === null) throw new Error(`no token at ${expression.slice(at, at + 40)}`);
          tokens.push(found[1]!);
        }
        const depth = (open: string, close: string) =>
          tokens.filter((one) => one === open).length - tokens.filter((one) => one === close).length;
        expect([depth('(', ')'), depth('{', '}')]).toEqual([0, 0]);
        return tokens;
      });
}

/** A blank line inside a string does not separate expressions. */
function splitParagraphs(text: string): string[] {
  return text.split(/(?<=[)])\n\n(?=[(])/);
}

function unquoteExpression(token: string): string {
  expect(token[0]).toBe('"');
  return token.slice(1, -1).replace(/\\(["\\])/g, '$1');
}

function clausesOf(tokens: string[]): { part: string; addresses: string[] }[] {
  const clauses: { part: string; addresses: string[] }[] = [];
  let rest = tokens;
  while (rest.length > 0) {
    if (clauses.length > 0) {
      expect(rest[0]).toBe('or');
      rest = rest.slice(1);
    }
    const end = rest.indexOf('}');
    const open = rest.indexOf('{');
    const head = rest.slice(0, open);
    const named = head.includes('contains');
    expect(head.map((one) => (one[0] === '"' ? 'TEXT' : one))).toEqual(
      named
        ? ['(', 'lower', '(', 'http.user_agent', ')', 'contains', 'TEXT', 'and', 'ip.src', 'in']
        : ['(', 'ip.src', 'in'],
    );
    expect(rest[end + 1]).toBe(')');
    clauses.push({ part: named ? unquoteExpression(head[6]!) : '', addresses: rest.slice(open + 1, end) });
    rest = rest.slice(end + 2);
  }
  return clauses;
}
