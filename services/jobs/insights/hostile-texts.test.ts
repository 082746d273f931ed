import { describe, expect, test } from 'vitest';
import { cleanText } from './clean-text.js';
import { findProblems } from './find-problems.js';
import { shown } from './honest-texts.fixture.js';
import { createKnownFacts } from './known-facts.js';

const problems = (text: string, known = shown) => findProblems(cleanText(text), known);
const refuses = (texts: readonly string[]) =>
  test.each(texts.map((text) => [text]))('refused: %s', (text) => {
    expect(problems(text)).not.toEqual([]);
  });

describe('a unit that the field has not', () => {
  refuses([
    'Of all requests 956 % failed.',
    'Errors are at 956%.',
    'Errors are at 956 percent.',
    'Errors are at 956 per cent.',
    'The share of AI crawlers fell by 11.98 percentage points.',
    'It took 343 s to answer.',
    'It took 343s to answer.',
    'It took **343** seconds to answer.',
    'It took `343` seconds to answer.',
    'It took 343 minutes.',
    'It took 4.66 ms.',
    'There were 343 requests.',
    'There were 8.46 requests.',
    'There were 168 requests.',
    'The server sent 956 GB.',
    'The server sent 956 bytes.',
    'The server sent 658,047,398 kB.',
    'There were 956 k requests.',
    'There were 956 M requests.',
    'There were 956 million requests.',
    'There were 956 lakh requests.',
    'It grew 14 x.',
    'It grew 14×.',
    'It cost 956 €.',
    'It cost €956.',
    'It cost 956 dollars.',
    'It is 956 ‰ of all.',
    'For 956 days nothing came.',
    'In a 956-day window nothing came.',
    'In 956h nothing came.',
    'It went from 88 to 197 ms.',
    'It was 88 and 197 %.',
    'There were 343. In % this is much.',
    'Statuses: 404 %.',
  ]);
});

describe('digits of names', () => {
  refuses([
    'Call +49 30 1234567 now.',
    'Call `+49 30 1234567` now.',
    'Call `/+49-30-1234567` now.',
    'Call +197 956 404 now.',
    'Call (404) 956 now.',
    'Call 404 - 956 - 197 now.',
    'Call 404 / 956 / 197 now.',
    'Call 404 · 956 now.',
    'Call 404 . 956 now.',
    'Call 404.956.197 now.',
    'Call 404 `956` now.',
    'Call `404` `956` now.',
    'Call `404` 956 now.',
    'Call +956 (404) 197 now.',
    '[+49 30 1234567](/blog/2024/01/post)',
    '[+49 30 1234567][1]',
    'See `/blog/2024/01/post`+49.',
    'The post of 2024 was read.',
    'Ask for 1234567.',
    'The bot Call49301234567 came.',
  ]);

  const log = createKnownFacts();
  log.add({
    requests: 6,
    names: ['99999', '99,999', '+49 30 1234567', '99999 visits', '(030) 12', '2026-01-01'],
  });
  log.add({
    paths: ['/99999', '/+49 30 1234567'],
    bots: ['SemrushBot/7~bl', '360Spider', 'Mozilla/5.0 (X11)'],
  });

  test.each(['99999', '99,999', '+49 30 1234567', '99999 visits', '(030) 12', '2026-01-01'])(
    'that a log gave stay out where they read as a figure: `%s`',
    (name) => {
      expect(problems(`There were \`${name}\` of them.`, log)).not.toEqual([]);
    },
  );

  test.each(['/99999', '/+49 30 1234567', 'SemrushBot/7~bl', '360Spider', 'Mozilla/5.0 (X11)'])(
    'that a read returned may be cited: `%s`',
    (name) => {
      expect(problems(`There were 6 of \`${name}\` in all.`, log)).toEqual([]);
    },
  );
});

describe('figures in words', () => {
  test.each([
    ...['twenty-five', 'twentyfive', 'onehundred', 'Threehundred', 'dozens', 'millions', 'lakh', 'thrice'],
    ...[
      'fünf',
      'fuenf',
      'FÜNF',
      'zweihundert',
      'zweihundertfünfzig',
      'siebenundzwanzig',
      'dreißig',
      'Million',
    ],
    ...['eintausend', 'dreifach', 'zweimal', 'hundertste', 'Dutzend', 'Hälfte', 'verdoppelt', 'Milliarden'],
    ...['cinq', 'quatre-vingts', 'deux', 'mille', 'milliers', 'centaine', 'moitié', 'dix-sept', 'cinquième'],
    ...['cinco', 'doscientos', 'veintitrés', 'quinientos', 'mil', 'millón', 'ciento', 'docena', 'mitad'],
    ...['cinque', 'duecento', 'ventitré', 'duemila', 'milioni', 'quarantadue', 'cento', 'raddoppiato'],
    ...['três', 'duzentos', 'trezentas', 'milhões', 'vinte', 'dezesseis', 'metade', 'quatrocentos'],
    ...['vijf', 'tweehonderd', 'vijfentwintig', 'miljoen', 'duizend', 'tachtig', 'dubbel', 'helft', 'twaalf'],
    ...['XIV', 'xiv', 'MMXXVI', 'Ⅻ', 'II', 'CD'],
  ])('%s', (word) => {
    expect(problems(`There were ${word} visits of the website.`)).not.toEqual([]);
    expect(problems(`There were (**${word}**) visits of the website.`)).not.toEqual([]);
  });

  test.each([
    'mix',
    'tree',
    'self',
    'stress',
    'undue',
    'CSS',
    'LLM',
    'CDN',
    'I',
    'civil',
    'vivid',
    'tension',
    'often',
    'miles',
    'once',
    'cents',
    'tiers',
    'pack',
  ])('%s is a word', (word) => {
    expect(problems(`There is a ${word} in what they say.`)).toEqual([]);
  });
});

describe('a text in another language', () => {
  refuses([
    'Es gab viele Anfragen von Crawlern und die Seite war nicht erreichbar.',
    'Le site est lent et les robots ne passent plus dans les pages.',
    'Hubo muchas solicitudes de los robots y la web no responde.',
    'Ci sono state molte richieste e il sito non risponde.',
    'Houve muitos pedidos dos robots e o site não responde.',
    'Er waren veel verzoeken van de crawlers en de site is niet bereikbaar.',
    'Due richieste.',
    'Once solicitudes.',
    'Six erreurs.',
    'Traffic is up. Due richieste della pagina. All is well with the rest of it.',
    '- Errors are down\n- dos solicitudes de los robots',
    'Liczba wizyt wzrosla do poziomu jakiego nigdy wczesniej tutaj nikt zanotowal.',
    'There were pět visits.',
    'There were beş visits and två more.',
  ]);
});

describe('parts and places in words', () => {
  refuses([
    'About a fifth of all requests fail.',
    'An eighth of it fails, and a ninth is slow.',
    'It is in the ninth place, and a twelfth of it is slow.',
    'A twentieth of the requests fail.',
    'A couple of crawlers were refused.',
    'Dozens of pages fail.',
    'There were 956 grand requests.',
    'There were 956 squared requests.',
  ]);
});
