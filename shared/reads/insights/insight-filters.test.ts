import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalFilters, scopeOfFilters } from './insight-filters.js';
import { insightIdOf } from './insight-key.js';
import { readInsightOrder, toInsightOrder } from './insight-order.js';

describe('filters of an insight', () => {
  test('have one canonical form for any order of their names', () => {
    const form = '{"bot_name":"A","hours":24,"x":{"a":[1,{"c":1,"d":null}],"b":true}}';
    expect(
      canonicalFilters(' { "x":{"b":true,"a":[1,{"d":null,"c":1}]}, "hours": 24.0, "bot_name":"\\u0041" }'),
    ).toBe(form);
    expect(canonicalFilters('{}')).toBe('{}');
  });

  test('the canonical form of any object is its own canonical form', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean())), (object) => {
        fc.pre(!['__proto__', 'constructor', 'prototype'].some((name) => Object.hasOwn(object, name)));
        const text = JSON.stringify(object);
        fc.pre(text.length <= 2_000);
        const form = canonicalFilters(text);
        expect(JSON.parse(form)).toEqual(JSON.parse(text));
        expect(canonicalFilters(form)).toBe(form);
      }),
    );
  });

  test.each([
    ['no JSON', '{', /filters: expected a JSON object/],
    ['nothing', '', /filters: expected a JSON object/],
    ['a list', '[]', /filters: expected a JSON object/],
    ['null', 'null', /filters: expected a JSON object/],
    ['a text', '"a:b"', /filters: expected a JSON object/],
    ['depth', `${'{"a":'.repeat(300)}`, /filters: expected JSON that is nested at most 4 deep/],
    ['depth of lists', `{"a":${'['.repeat(500)}${']'.repeat(500)}}`, /nested at most 4 deep/],
    ['size', `{"a":"${'x'.repeat(2_000)}"}`, /filters: expected at most 2000 characters/],
    ['a prototype', '{"__proto__":{"hours":24}}', /filters: expected names/],
    ['a prototype within', '{"a":{"\\u005f_proto__":1}}', /filters: expected names/],
    ['a constructor', '{"constructor":1}', /filters: expected names/],
    ['a repeated name', '{"hours":24,"hours":48}', /filters: expected a JSON object without repeated names/],
    ['a repeated name, spelt otherwise', '{"a":1,"\\u0061":2}', /without repeated names/],
  ])('%s is refused by name', (_name, text, message) => {
    expect(() => canonicalFilters(text)).toThrow(message);
  });

  test('narrow the scope like the parameters of the reads', () => {
    const given = {
      countries: 'DE,FR',
      host: 'www.example.com,m.example.com',
      bot_verified: true,
      file_type: 'html,php',
      params_filter: 'with_params',
      status_category: '4xx',
    };
    const named = { bot_name: 'Googlebot', bot_family: 'Google', hours: 48 };
    expect(scopeOfFilters(canonicalFilters(JSON.stringify({ ...given, ...named })))).toEqual({
      hours: 48,
      filters: {
        ...{ hosts: ['www.example.com', 'm.example.com'] },
        ...{ countries: ['DE', 'FR'], botName: 'Googlebot', botFamily: 'Google', botVerified: true },
        ...{ fileTypes: ['html', 'php'], hasQuery: true, statusClass: 4 },
      },
    });
    expect(scopeOfFilters('{}')).toEqual({ hours: 168, filters: {} });
  });

  test.each([
    ['{"segment":"seg_1"}', /filters: there are hours, countries/],
    ['{"hours":9999}', /filters.hours/],
    ['{"countries":"UK"}', /filters.countries: GB/],
    ['{"countries":"DE,XX"}', /filters.countries: codes of countries/],
    ['{"countries":["DE"]}', /filters.countries/],
    ['{"host":"WWW.example.com:443"}', /filters.host: host names/],
    ['{"host":"a.example.com,"}', /filters.host: host names/],
    ['{"bot_verified":"no"}', /filters.bot_verified/],
  ])('no insight can be written for %s', (text, message) => {
    expect(() => scopeOfFilters(text)).toThrow(message);
  });

  test('an order is read back unchanged, and an invalid one is refused', () => {
    const order = toInsightOrder({ page: '/a', filters: '{"params_filter":"with_params","hours":24}' });
    expect(readInsightOrder(order)).toEqual({
      ...{ page: '/a', filters: '{"hours":24,"params_filter":"with_params"}', recorded: false },
    });
    const recorded = { page: '/', filters: '{}', recorded: true };
    expect(readInsightOrder(toInsightOrder(recorded))).toEqual(recorded);
    expect(readInsightOrder('')).toEqual({ page: '/', filters: '{}', recorded: false });
    expect(readInsightOrder(toInsightOrder({ page: '/caf%c3%a9', filters: '{}' })).page).toBe('/caf%C3%A9');
    expect(() => toInsightOrder({ page: 'a', filters: '{}' })).toThrow(/page: expected/);
    expect(() => toInsightOrder({ page: '/', filters: '{"bots":"x"}' })).toThrow(/filters/);
  });
});

test('an insight has a stable id that no other insight has', () => {
  const key = { websiteId: 'web_1', page: '/', filters: '{}' };
  const id = insightIdOf(key, '2026-11-22');
  expect(insightIdOf({ ...key }, '2026-11-22')).toBe(id);
  expect(Number.isSafeInteger(id)).toBe(true);
  const others = [
    insightIdOf(key, '2026-11-23'),
    insightIdOf({ ...key, page: '/a' }, '2026-11-22'),
    insightIdOf({ ...key, filters: '{"hours":24}' }, '2026-11-22'),
    insightIdOf({ ...key, websiteId: 'web_2' }, '2026-11-22'),
  ];
  expect(new Set([id, ...others]).size).toBe(5);
});
