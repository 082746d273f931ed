import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { StoreUnavailableError } from '../../../../shared/store/store-errors.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { checkRegexes } from './check-regexes.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());

const check = (...patterns: string[]) => checkRegexes(engine.clickhouse, patterns);

describe('patterns that the engine accepts', () => {
  test.each([
    '/product/[0-9]+$',
    '(?i)shoes',
    'plain',
    'it\'s \\\\ 100% "odd" {x: String} \n\t ü漢😀',
    'a\0b',
    '(a+)+$',
    '(x+x+)+y',
    'a'.repeat(1000),
    '\\\\'.repeat(500),
  ])('%j', async (pattern) => {
    expect(await check(pattern)).toBeNull();
  });

  test('sixty of the longest at once, or none at all', async () => {
    expect(await check(...Array.from({ length: 60 }, () => '漢'.repeat(1000)))).toBeNull();
    expect(await check()).toBeNull();
  });
});

describe('patterns that it refuses, with its own reason', () => {
  test.each([
    ['(shoes', 'missing )'],
    ['shoes)', 'unexpected )'],
    ['a)(b', 'unexpected )'],
    ['[a-', 'missing ]: [a-'],
    ['[z-a]', 'invalid character class range: z-a'],
    ['*', 'no argument for repetition operator: *'],
    ['a**', 'bad repetition operator: **'],
    ['x{1001}', 'invalid repetition size: {1001}'],
    ['(?=lookahead)', 'invalid perl operator: (?='],
    ['(a)\\1', 'invalid escape sequence: \\1'],
    ['\\', 'trailing \\'],
    ['shoes\\', 'trailing \\'],
    ['((\\pL{100}){10})', 'pattern too large - compile failed'],
    ['('.repeat(1000), 'missing )'],
    [`${'ü'.repeat(999)}(`, 'missing )'],
    ["'; DROP TABLE requests; --(", 'missing )'],
    ['(, error: all is well. Look at', 'missing )'],
    ['(GET)(', 'not a regular expression that RE2 can compile'],
    ['(\0', 'not a regular expression that RE2 can compile'],
  ])('%j', async (pattern, problem) => {
    expect(await check('fine', pattern, '[')).toEqual({ pattern, problem });
  });
});

test('an unavailable store gives no verdict on a pattern', async () => {
  const away: ClickHouseReader = { read: () => Promise.reject(new StoreUnavailableError('away')) };
  await expect(checkRegexes(away, ['('])).rejects.toThrow(StoreUnavailableError);
});
