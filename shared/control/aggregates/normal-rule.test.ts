import { expect, test } from 'vitest';
import { normalRule } from './normal-rule.js';

test.each([
  ['prefix', '/caf%c3%a9', '/caf%C3%A9'],
  ['exact', '/café', '/caf%C3%A9'],
  ['exact', '/a/../b/.', '/b/'],
  ['prefix', '/a/../b/.', '/b/.'],
  ['prefix', '/.', '/.'],
  ['exact', '*', '*'],
  ['contains', 'a%7Eb', 'a~b'],
  ['contains', 'it%27s/..', "it's/.."],
  ['query', '&q=%d0%bf', '&q=%D0%BF'],
  ['regex', '^/caf%c3%a9(/|$)', '^/caf(?:%C3)(?:%A9)(/|$)'],
  ['regex', '^/é+', '^/(?:%C3%A9)+'],
  ['regex', '/[éa%]x\\é\\d{2}', '/[éa%]x\\é\\d{2}'],
  ['regex', '/%2Ehtml|%41', '/\\.html|A'],
  ['regex', '\\Qé\\E', '\\Qé\\E'],
  ['regex', '/[]é]é', '/[]é](?:%C3%A9)'],
  ['regex', '/[é', '/[(?:%C3%A9)'],
  ['regex', '/(%[a-f0-9]{2})+x', '/(%(?i:[a-f0-9]{2}))+x'],
  ['regex', '%[c-d][0-9a-f]|%[é]', '%(?i:[c-d][0-9a-f])|%[é]'],
] as const)('%s %s is applied to paths as %s', (type, value, expected) => {
  expect(normalRule({ type, value })).toEqual({ type, value: expected });
});
