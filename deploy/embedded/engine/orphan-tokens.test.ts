import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findTokenFaults, mendTokenLogs } from './orphan-tokens.js';

let directory: string;
let table: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'loglane-tokens-'));
  table = join(directory, 'store', '3f2', '3f2c');
  mkdirSync(join(table, 'deduplication_logs'), { recursive: true });
  mkdirSync(join(table, 'detached'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const logPath = (number: number) => join(table, 'deduplication_logs', `deduplication_log_${number}.txt`);
const writeLog = (number: number, lines: readonly string[]) =>
  writeFileSync(logPath(number), lines.map((line) => `${line.replaceAll(' ', '\t')}\n`).join(''));
const makeParts = (...names: string[]) => {
  for (const name of names) mkdirSync(join(table, name));
};
const orphans = () =>
  findTokenFaults(directory).flatMap((fault) => fault.orphans.map(({ blockId }) => blockId));

test('a directory without tables, or with tables without tokens, has no faults', () => {
  expect(findTokenFaults(join(directory, 'none'))).toEqual([]);
  expect(findTokenFaults(directory)).toEqual([]);
});

test('a token stays if its part exists, was merged or rewritten, or is recorded as dropped', () => {
  writeLog(1, [
    '1 202610_1_1_0 merged',
    '1 202610_2_2_0 merged-too',
    '1 202611_3_3_0 rewritten',
    '1 all_4_4_0 there',
    '1 202610_5_5_0 dropped',
    '2 202610_5_5_0 dropped',
  ]);
  makeParts('202610_1_2_1', '202611_3_3_0_9', 'all_4_4_0');
  expect(findTokenFaults(directory)).toEqual([]);
});

test('a token is an orphan if its part has a temporary name, is missing, or is of another month', () => {
  writeLog(1, ['1 202610_1_1_0 temporary', '1 202610_2_2_0 none', '1 202610_3_3_0 of-october']);
  makeParts('tmp_insert_202610_1_1_0', 'delete_tmp_202610_2_2_0', '202609_3_3_0');
  writeFileSync(join(table, '202610_2_2_0'), 'no part');
  expect(orphans()).toEqual(['temporary', 'none', 'of-october']);
});

test('the newest file may be empty, since a full file is followed by a new one at once', () => {
  writeLog(9, ['1 all_1_1_0 stored', '1 all_2_2_0 orphan']);
  writeLog(10, []);
  makeParts('all_1_1_0');
  expect(findTokenFaults(directory)).toEqual([
    { log: logPath(10), orphans: [{ part: 'all_2_2_0', blockId: 'orphan' }], wholeBytes: null },
  ]);
});

test('tokens that may be outside the window are not checked: no line records that their part was dropped', () => {
  const lines = Array.from({ length: 600 }, (_, index) => `1 all_${index}_${index}_0 token-${index}`);
  writeLog(1, lines);
  expect(orphans()).toEqual(Array.from({ length: 100 }, (_, index) => `token-${500 + index}`));
});

test('a repaired log has no fault and keeps its lines', () => {
  writeLog(1, ['1 all_1_1_0 stored', '1 all_2_2_0 orphan']);
  makeParts('all_1_1_0');
  mendTokenLogs(findTokenFaults(directory));
  expect(findTokenFaults(directory)).toEqual([]);
  expect(readFileSync(logPath(1), 'utf8')).toBe(
    '1\tall_1_1_0\tstored\n1\tall_2_2_0\torphan\n2\tall_2_2_0\torphan\n',
  );
});

test('a truncated last line is removed, since the engine reads nothing after it', () => {
  writeLog(1, ['1 all_1_1_0 stored', '1 all_2_2_0 orphan']);
  writeFileSync(logPath(1), '1\tall_3_3_', { flag: 'a' });
  makeParts('all_1_1_0');
  mendTokenLogs(findTokenFaults(directory));
  expect(readFileSync(logPath(1), 'utf8')).toBe(
    '1\tall_1_1_0\tstored\n1\tall_2_2_0\torphan\n2\tall_2_2_0\torphan\n',
  );
});
