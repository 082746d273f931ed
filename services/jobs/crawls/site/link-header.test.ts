import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalOfHeader } from './link-header.js';

test.each([
  ['<https://shop.example/a>; rel="canonical"', 'https://shop.example/a'],
  ['< /a >;REL=Canonical', '/a'],
  ['</style.css>; rel=preload; as=style, </a>; rel="canonical"', '/a'],
  ['</a,b;c>; title="x, \\" <y>; rel=next"; rel="prev canonical"', '/a,b;c'],
  ['</a>; rel=canonical, </b>; rel=canonical', '/a'],
])('the canonical of %s is %s', (header, canonical) => {
  expect(canonicalOfHeader(header)).toBe(canonical);
});

test.each([
  ['no header', null],
  ['an empty one', ''],
  ['another relation', '</a>; rel="alternate"; hreflang=de'],
  ['a relation that begins with it', '</a>; rel="canonical-x"'],
  ['a second rel', '</a>; rel=next; rel=canonical'],
  ['a link of another page', '</a>; rel=canonical; anchor="/b"'],
  ['the word in an address or a title', '</?rel=canonical>; title="; rel=canonical"'],
  ['an address without brackets', '/a; rel=canonical'],
  ['a bracket that is left open', '</a; rel=canonical'],
])('%s names none', (_, header) => {
  expect(canonicalOfHeader(header)).toBeNull();
});

test('a canonical is found after any other complete link', () => {
  const address = fc.stringMatching(/^[a-z/,;"=]{0,20}$/);
  const title = fc.stringMatching(/^[a-z<>,;= ]{0,20}$/);
  fc.assert(
    fc.property(address, title, address, (before, text, canonical) => {
      const header = `<${before}>; rel=next; title="${text}", <${canonical}>; title="${text}"; rel=canonical`;
      expect(canonicalOfHeader(header)).toBe(canonical);
    }),
  );
});

test('any text can be read', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      canonicalOfHeader(text);
    }),
  );
});
