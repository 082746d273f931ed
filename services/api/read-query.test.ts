import { z } from '@hono/zod-openapi';
import { describe, expect, it, test } from 'vitest';
import { countriesParameter, scopeParameters, windowParameters } from './operation/parameters.js';
import { headerOfNames, readQuery } from './read-query.js';

const scope = z.object(scopeParameters());
const read = (query: string, schema: z.ZodObject = scope) => {
  const sent = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) sent.set(name, [...(sent.get(name) ?? []), value]);
  return readQuery(schema, Object.fromEntries(sent));
};

describe('unsupported parameters of a call', () => {
  it.each([
    ['contry=DE', 'contry', 'contry'],
    ['Bot_name=a', 'Bot_name', 'Bot_name'],
    ['constructor=1', 'constructor', 'constructor'],
    ['countries[]=DE', 'countries[]', 'countries%5B%5D'],
    ['a%0D%0ASet-Cookie:%20b=1', 'a\r\nSet-Cookie: b', 'a%0D%0ASet-Cookie%3A%20b'],
  ])('of ?%s %j is named, in a header as %s', (query, name, inHeader) => {
    const { ignored, given } = read(`${query}&bot_name=Googlebot`);
    expect([ignored, given]).toEqual([[name], { bot_name: 'Googlebot' }]);
    expect(headerOfNames(ignored)).toBe(inHeader);
  });

  it('are at most ten, each of bounded length', () => {
    const many = Array.from({ length: 500 }, (_, index) => `p${index}${'x'.repeat(300)}=1`).join('&');
    const { ignored } = read(many);
    expect(ignored).toHaveLength(10);
    expect(Math.max(...ignored.map((name) => name.length))).toBeLessThan(100);
  });

  it('include start without end, and end without start', () => {
    const window = z.object(windowParameters());
    expect(read('start=1&hours=2', window).ignored).toEqual(['start']);
    expect(read('end=1', window).ignored).toEqual(['end']);
    expect(read('start=1&end=2&hours=2', window).ignored).toEqual([]);
  });

  it('can contain half a surrogate pair', () => {
    expect(headerOfNames(['\ud800'])).toBe('%EF%BF%BD');
  });
});

describe('repeated parameters', () => {
  it.each([
    ['countries=DE&countries=FR', { countries: 'DE,FR' }],
    ['countries=DE&country=FR', { countries: 'DE,FR' }],
    ['file_type=html&file_type=pdf,js', { file_type: 'html,pdf,js' }],
    ['host=www.example.com&host=m.example.com', { host: 'www.example.com,m.example.com' }],
  ])('?%s: lists are combined', (query, given) => {
    expect(read(query).given).toEqual(given);
  });

  it.each([
    ['bot=GPTBot&bot=ClaudeBot', 'bot: expected one value, got "GPTBot" and "ClaudeBot".'],
    ['hours=24&hours=48', 'hours: expected one value, got "24" and "48".'],
    [
      'bot_verified=true&verified=false',
      'verified: is another name of bot_verified, expected the same value, got "true" and "false".',
    ],
  ])('?%s: others are refused', (query, detail) => {
    expect(() => read(query)).toThrow(detail);
  });

  it('with equal values are one', () => {
    expect(read('hours=24&hours=24').given).toEqual({ hours: '24' });
  });
});

test.each([
  ['verified=true', { bot_verified: 'true' }],
  ['country=DE', { countries: 'DE' }],
  ['params=with', { params_filter: 'with' }],
  ['status_code=404', { status: '404' }],
])('?%s is an alias of a filter', (query, given) => {
  expect(read(query)).toEqual({ given, ignored: [] });
});

test('an alias that is also a parameter of the call stays that parameter', () => {
  const both = z.object({ countries: countriesParameter, country: z.string().optional() });
  expect(read('country=DE&countries=FR', both).given).toEqual({ country: 'DE', countries: 'FR' });
});
