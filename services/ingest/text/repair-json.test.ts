import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/harness/runs.js';
import { parseJson } from './parse-json.js';
import { repairJson } from './repair-json.js';

it.each([
  [String.raw`{"a":"sqlmap \xff"}`, { a: 'sqlmap \udcff' }],
  [String.raw`{"a":"caf\xC3\xA9"}`, { a: 'café' }],
  [String.raw`{"a":"\x22, \x5C, \x0A","b":1}`, { a: '", \\, \n', b: 1 }],
  [String.raw`{"a":"\\xff"}`, { a: '\\xff' }],
  [String.raw`{"a":"\\\xff"}`, { a: '\\\udcff' }],
  [String.raw`{"a":"\v\e\x4\u12"}`, { a: '\v\\e\\x4\\u12' }],
  ['{"a":"tab\there"}', { a: 'tab\there' }],
  ['{"a":,"b":""}', { a: '', b: '' }],
  ['{"a": -, "b": 1}', { a: '-', b: 1 }],
  ['{"a":-}', { a: '-' }],
  ['{"a":}', { a: '' }],
  ['{"status":000,"b":1}', { status: '000', b: 1 }],
  ['{"a": 0.001, 0.002 : 0.003, "b":-1.5}', { a: '0.001, 0.002 : 0.003', b: -1.5 }],
  ['{"ip":192.0.2.1,"n":{"a":,"b":[1,2]}}', { ip: '192.0.2.1', n: { a: '', b: [1, 2] } }],
])('reads %s', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

it.each([
  '',
  '{"a":"b',
  '{"a":"b\nc"}',
  '{"a":GET,"b":1}',
  '{"a":/x,"client_ip":"192.0.2.1"}',
  '{"a":1,}x',
  String.raw`{"a":"\xff}`,
])('refuses %j', (text) => {
  expect(parseJson(text)).toBeUndefined();
});

it('changes no valid JSON', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(repairJson(text)).toBeNull();
    }),
    { numRuns: runs(500) },
  );
});
