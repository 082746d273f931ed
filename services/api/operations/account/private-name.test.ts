import { expect, test } from 'vitest';
import { isPrivateName } from './private-name.js';

test.each(['shop.internal', 'a.b.local', 'wiki.corp', 'nas.home.arpa', 'x.test', 'shop.lan'])(
  '%s is a private name',
  (domain) => {
    expect(isPrivateName(domain)).toBe(true);
  },
);

test.each(['example.com', 'internal.example.com', 'local.io', 'testing.dev', 'home.pl', 'arpa.net'])(
  '%s is none',
  (domain) => {
    expect(isPrivateName(domain)).toBe(false);
  },
);
