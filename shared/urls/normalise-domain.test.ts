import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/harness/runs.js';
import { normaliseDomain } from './normalise-domain.js';

const domainOf = (text: string) => {
  const normalised = normaliseDomain(text);
  return 'domain' in normalised ? normalised.domain : null;
};

describe('normaliseDomain', () => {
  test.each([
    ['example.com', 'example.com'],
    ['  EXAMPLE.com. ', 'example.com'],
    ['https://www.Example.com/shop?x=1#top', 'www.example.com'],
    ['http://user:secret@example.com:8443/', 'example.com'],
    ['//example.com/x', 'example.com'],
    ['ftp://example.com', 'example.com'],
    ['example.com:443', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['a-b.c1.example', 'a-b.c1.example'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('%s is %s', (text, domain) => {
    expect(domainOf(text)).toBe(domain);
  });

  test.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['localhost', 'one label'],
    ['192.0.2.1', 'IP address'],
    ['http://0x7f.1/', 'IP address'],
    ['2130706433', 'IP address'],
    ['[2001:db8::1]:80', 'IP address'],
    ['exa mple.com', 'spaces'],
    ['example\t.com', 'spaces'],
    ['example\n.com', 'spaces'],
    ['-a.example', 'label'],
    ['a-.example', 'label'],
    ['under_score.example', 'label'],
    ['*.example.com', 'label'],
    ['a..example', 'label'],
    ['.example', 'label'],
    [`${'a'.repeat(64)}.example`, 'label'],
    [`${'a.'.repeat(130)}example`, '253'],
    ['https://', 'host name'],
    ['example.com:port', 'host name'],
    ["example.com'; DROP TABLE x", 'spaces'],
  ])('%j is refused', (text, reason) => {
    expect(normaliseDomain(text)).toEqual({ problem: expect.stringContaining(reason) });
  });

  const label = fc.stringMatching(/^[a-z][a-z\d]{0,10}(-[a-z\d]{1,5})?$/);
  const host = fc
    .tuple(label, label, fc.constantFrom('com', 'example', 'co.uk'))
    .map((parts) => parts.join('.'));

  test('the same host name results, with any text around it', () => {
    const around = fc.record({
      scheme: fc.constantFrom('', 'http://', 'HTTPS://', '//'),
      credentials: fc.constantFrom('', 'user@', 'user:pass@'),
      dot: fc.constantFrom('', '.'),
      port: fc.constantFrom('', ':80', ':8443'),
      path: fc.webPath(),
      upper: fc.boolean(),
    });
    fc.assert(
      fc.property(host, around, (name, { scheme, credentials, dot, port, path, upper }) => {
        const written = upper ? name.toUpperCase() : name;
        const rest = path === '' || path.startsWith('/') ? path : `/${path}`;
        expect(domainOf(scheme + credentials + written + dot + port + rest)).toBe(name);
      }),
    );
  });

  test('the result is a fixed point within the limits of DNS, for any input', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.domain(),
      fc.webUrl(),
      fc.ipV4(),
      fc.ipV6(),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const domain = domainOf(text);
        if (domain === null) return;
        expect(domainOf(domain)).toBe(domain);
        expect(domain.length).toBeLessThanOrEqual(253);
        expect(domain).toMatch(/^[a-z\d-]{1,63}(\.[a-z\d-]{1,63})+$/);
      }),
      { numRuns: runs(300) },
    );
  });

  test('every host name that DNS allows is accepted', () => {
    fc.assert(
      fc.property(fc.domain(), (name) => {
        // Punycode that decodes to nothing is not a name.
        fc.pre(!name.toLowerCase().includes('xn--'));
        expect(domainOf(name)).toBe(name.toLowerCase());
      }),
    );
  });
});
