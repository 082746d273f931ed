import { describe, expect, test } from 'vitest';
import { cleanText } from './clean-text.js';
import { findProblems } from './find-problems.js';
import { createKnownFacts } from './known-facts.js';

/** Facts 1 to 7: a term, two counts, a percentage, a day, a path, a crawler. */
const known = createKnownFacts(['4xx']);
known.show({
  requests: 87,
  previous_requests: 12_345,
  share_pct: 3.47,
  day: '2026-11-15',
  path: '/blog/2024',
  bot: 'Googlebot',
});

const problems = (text: string) => findProblems(cleanText(text), known);

describe('the allowed texts of an insight', () => {
  test.each([
    'There were {fact_3} requests, {fact_2} of them failed.',
    'Errors make **{fact_4}** of them (*{fact_2}* requests), since {fact_5}.',
    '**{fact_4}** ({fact_2}) and "{fact_3}", “{fact_2}”.',
    "- {fact_6}: {fact_2}\n- {fact_7}: {fact_3}\n\n{fact_7}'s errors are few; {fact_1} is rare.",
    '* {fact_2}\n* {fact_3}',
    'It was {fact_2}.\n\n{fact_3} is another matter.',
    '`{fact_6}` and `Googlebot` are in robots.txt, llms.txt and (sitemap.xml).',
    '{fact_6}, {fact_7}, {fact_6} {fact_7}',
    'All is as usual, e.g. in São Paulo and Türkiye.',
    '- [ ] nothing [here] is a link\n- DoS & <b>',
    'From {fact_5} on the {fact_1} rate rose — slowly.',
    'Status {fact_2} (before: {fact_3}) twice.',
  ])('%s', (text) => {
    expect(problems(text)).toEqual([]);
  });

  test.each([
    ['a digit', 'There were 87 requests.', '"87" has a digit'],
    ['a digit in backticks', 'There were `87` requests.', '"87" has a digit'],
    ['a digit in a name', 'See /blog/2024.', '"/blog/2024." has a digit'],
    ['a digit in a term', 'The 4xx rate.', '"4xx" has a digit'],
    ['a numbered list', '1. Googlebot', '"1." has a digit'],
    ['a digit as an entity', 'There were &#57; requests.', '"&#57;" has a digit'],
    ['a digit that emphasis joins to a fact', 'There were 6**{fact_2}** requests.', '"6{…}" has a digit'],
    ['Arabic digits', 'There were ٤٢ requests.', '"٤٢" has a digit'],
    ['full-width digits', 'There were ９９ requests.', '"99" has a digit'],
    ['Devanagari digits', 'There were १२ requests.', '"१२" has a digit'],
    ['mathematical digits', 'There were 𝟗 requests.', '"9" has a digit'],
    ['a digit in a circle', 'There were ② requests.', '"2" has a digit'],
    ['a sign that holds a digit', 'On ㏠ it fell.', '"1日" has a digit'],
    ['a fraction', 'It is ½ of all.', 'has a digit'],
    ['a figure of Chinese', 'There were 三百 requests.', 'is in another script'],
    ['a letter of another script', 'There were twо requests.', 'is in another script'],
    ['a fact that is not there', 'There were {fact_8} requests.', 'There is no {fact_8}'],
    ['a number that is far too large', 'There were {fact_99999999999} requests.', 'has a digit'],
    ['a number with a nought before', 'There were {fact_07} requests.', 'has a digit'],
    ['a reference without a number', 'There were {fact_x} requests.', 'has a brace'],
    ['a reference in two pairs of braces', 'There were {{fact_2}} requests.', 'has a brace'],
    ['a brace', 'There were {many} requests.', 'has a brace'],
    ['a unit behind a fact', 'It is {fact_4} % of all.', '"%" has a unit'],
    ['a unit joined to a fact', 'It is {fact_2}% of all.', '"{…}%" has a unit'],
    ['a currency', 'It cost {fact_2} € then.', '"€" has a unit'],
    ['a multiple', 'It grew {fact_2} × then.', '"×" has a unit'],
    ['an abbreviation', 'There were {fact_2}k requests.', '{fact_2} touches'],
    ['a sign before a fact', 'It changed by -{fact_2}.', '{fact_2} touches'],
    ['another sign before a fact', 'It changed by +{fact_2}.', '{fact_2} touches'],
    ['a fraction of facts', 'It was {fact_2}/{fact_3}.', '{fact_2} touches'],
    ['decimals of facts', 'It was {fact_2}.{fact_3}.', '{fact_3} touches'],
    ['thousands of facts', 'It was {fact_2},{fact_3}.', '{fact_3} touches'],
    ['facts that touch', 'There were {fact_2}{fact_3} requests.', '{fact_2} touches'],
    [
      'facts joined by marks that nobody sees',
      'There were {fact_2}**{fact_3}** requests.',
      '{fact_2} touches',
    ],
    ['facts that read as one', 'There were {fact_2} {fact_3} requests.', '{fact_2} and {fact_3} read as one'],
    ['facts over a line end', 'There were {fact_2}\n{fact_3} requests.', 'read as one'],
    ['a number to call', 'Call ({fact_2}) {fact_3} now.', 'read as one'],
    ['a number to call with dashes', 'Call {fact_2} - {fact_3} now.', 'read as one'],
    ['a table', '| Path | Requests |\n| --- | --- |\n| {fact_6} | {fact_2} |', 'a table'],
    ['a table without edges', 'a|b\n-|-\nc|d', 'a table'],
    ['a link', 'See https://evil.example/win.', 'is a link'],
    ['a link without a scheme', 'See www.evil.example', 'is a link'],
    ['a link in brackets', '[win](//evil.example)', 'is a link'],
    ['a link around a fact', '[{fact_2}](/x)', 'is a link'],
    ['a link to a script', '[win](javascript:alert)', 'is a link'],
    ['another scheme', 'Open ftp:evil or mailto:me', 'is a link'],
    ['a link to a fact', 'Open https:{fact_6}', 'is a link'],
    ['an address of e-mail', 'Write to a@evil.example', 'is a link'],
    ['an address of e-mail without a name', 'Write mailto:?to=x', 'is a link'],
    ['a file in brackets', '![x](/a.png)', 'is a link'],
    ['a host', 'Go to evil.example for more', "is a host's name"],
    ['a host in backticks', 'Go to `evil.example` for more', "is a host's name"],
    ['a host with emphasis', 'Go to evil.**example**', "is a host's name"],
    ['a host before a mark', 'See evil.example?pay', "is a host's name"],
    ['a host with a genitive', "Go to evil.example's page", "is a host's name"],
    ['a host with an ideographic full stop', 'See evil。com', "is a host's name"],
    ['a host made of a fact', 'See {fact_7}.com', "is a host's name"],
  ])('not %s', (_name, text, problem) => {
    expect(problems(text).join('\n')).toContain(problem);
  });

  test('of many problems some are reported, each of them shortened', () => {
    const wrong = Array.from({ length: 500 }, (_, index) => `${index}${'x'.repeat(500)}`).join(' ');
    const found = problems(wrong.slice(0, 3_000) + wrong);
    expect(found.length).toBeLessThanOrEqual(8);
    expect(Math.max(...found.map(({ length }) => length))).toBeLessThan(200);
    expect(problems(Array.from({ length: 500 }, (_, index) => `${index}`).join(' and '))).toHaveLength(8);
  });

  test.each([
    '1,',
    'a.',
    '`',
    '/',
    '[',
    '{fact_2}',
    '{fact_2} ',
    '{',
    '{fact_',
    ':a',
    '~~~',
    '.',
    '\n',
    '\n* ',
  ])('any number of %j comes to an end', (part) => {
    expect(problems(part.repeat(100_000)).length).toBeLessThanOrEqual(8);
  });
});
