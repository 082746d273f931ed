import { describe, expect, test } from 'vitest';
import { readRequestOptions, settingsList } from './settings.js';

describe('readRequestOptions', () => {
  test('separates parameters, settings and options of the HTTP handler', () => {
    const options = readRequestOptions(
      new URLSearchParams(
        'query=SELECT+1&query_id=q&param_a=1&max_threads=2&enable_http_compression=1&wait_end_of_query=1',
      ),
    );
    expect(options).toMatchObject({
      query: 'SELECT 1',
      queryId: 'q',
      database: 'default',
    });
    expect([...options.params]).toEqual([['a', '1']]);
    expect([...options.settings]).toEqual([['max_threads', '2']]);
  });

  test('refuses sessions, since other clients would share them', () => {
    expect(() => readRequestOptions(new URLSearchParams('session_id=1'))).toThrow(/Code: 36/);
  });
});

describe('settingsList', () => {
  test('writes numbers without quotes and other values as escaped literals', () => {
    const settings = new Map([
      ['max_threads', '2'],
      ['insert_deduplication_token', "a'; DROP TABLE t --\\"],
      ['max_execution_time', '0.5'],
    ]);
    expect(settingsList(settings)).toBe(
      "max_threads = 2, insert_deduplication_token = 'a\\'; DROP TABLE t --\\\\', max_execution_time = '0.5'",
    );
  });

  test('refuses an invalid name', () => {
    expect(() => settingsList(new Map([['a = 1, b', '1']]))).toThrow(/Code: 36/);
  });
});
