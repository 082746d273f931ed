import { expect, test } from 'vitest';
import { parseInput } from '../../operation/input.js';
import { recommendationKey } from './recommendation.js';

test.each([
  ['404:/caf%c3%a9', '404:/caf%C3%A9'],
  ['slow:/a%7Eb/é', 'slow:/a~b/%C3%A9'],
  ['ip:192.0.2.1', 'ip:192.0.2.1'],
  ['unverified:Goo%67lebot:192.0.2.1', 'unverified:Goo%67lebot:192.0.2.1'],
])('the key %s belongs to the item %s', (given, key) => {
  expect(parseInput(recommendationKey, given)).toBe(key);
});

test('a path that is too long once it is encoded is no key', () => {
  expect(() => parseInput(recommendationKey, `404:/${'é'.repeat(400)}`)).toThrow('a key in the form');
});
