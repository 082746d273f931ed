import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { hostileTexts } from '../../../test/harness/jobs/hostile-report.js';
import { barChart } from './charts/bar-chart.js';
import { lineChart } from './charts/line-chart.js';
import { niceTop } from './charts/svg.js';
import { renderHtml } from './html/render-html.js';
import type { ReportDocument } from './model/document.js';
import type { Finding } from './model/finding.js';
import { levelOf } from './model/finding.js';
import { breakable } from './pdf/breakable.js';
import { PdfError, renderPdf } from './pdf/render-pdf.js';

const never = new AbortController().signal;

function hostileDocument(text: string): ReportDocument {
  const rows = [[text, text, text, text]];
  const columns = (['text', 'prose', 'path', 'number'] as const).map((holds) => ({ title: text, holds }));
  const examples = { kind: 'table', caption: text, columns, rows } as const;
  const words = { title: text, figure: text, why: text, action: text, read: text };
  return {
    title: text,
    cover: { website: text, preparedFor: text, period: text, madeOn: text },
    sections: [
      {
        id: 'all',
        title: text,
        blocks: [
          { kind: 'text', text },
          { kind: 'figures', figures: [{ label: text, value: text, note: text }] },
          {
            kind: 'chart',
            caption: text,
            alt: text,
            svg: barChart(text, [{ name: text, value: 3, note: text }]),
          },
          {
            kind: 'chart',
            caption: text,
            alt: text,
            svg: lineChart({ alt: text, labels: [text], series: [{ name: text, values: [1] }] }),
          },
          examples,
          { kind: 'finding', place: 1, level: 'high', ...words, examples },
          { kind: 'terms', items: [{ term: text, text }] },
        ],
      },
    ],
  };
}

test.each(hostileTexts)('%j is text in the page and in the PDF', async (text) => {
  const report = hostileDocument(text);
  const html = renderHtml(report);
  expect(html).not.toMatch(/<script|onload='/i);
  const tags = (page: string) => page.match(/<[a-z]+/g)!.length;
  expect(tags(html)).toBe(tags(renderHtml(hostileDocument('plain'))));
  const pdf = await renderPdf(report, { madeAt: 0, signal: never });
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
});

test('the same document gives the same bytes', async () => {
  const report = hostileDocument('plain');
  const options = { madeAt: Date.parse('2026-11-22'), signal: never };
  expect((await renderPdf(report, options)).equals(await renderPdf(report, options))).toBe(true);
});

test('a PDF that takes too long or too much memory, or is cancelled, ends with an error', async () => {
  const report = hostileDocument('plain');
  const options = { madeAt: 0, signal: never };
  await expect(renderPdf(report, { ...options, longestMs: 1 })).rejects.toThrow(PdfError);
  await expect(renderPdf(report, { ...options, longestMs: 1 })).rejects.toThrow('longer than 1 ms');
  if (process.platform === 'linux')
    await expect(renderPdf(report, { ...options, mostBytes: 1 })).rejects.toThrow('memory');
  const gone = new AbortController();
  const made = renderPdf(report, { ...options, signal: gone.signal });
  gone.abort(new Error('given up'));
  await expect(made).rejects.toThrow('given up');
});

test('a long path can be copied from the PDF without zero-width characters', async () => {
  const report = hostileDocument(
    '/guides/how-to-clean-a-very-long-velvet-sofa-without-leaving-any-marks-2026',
  );
  const pdf = await renderPdf(report, { madeAt: 0, signal: never });
  const texts = contentsOf(pdf);
  expect(texts).toContain('beginbfchar');
  // Text without a glyph is in ActualText, or in the map of a font to Unicode.
  expect(texts).not.toMatch(/ActualText\s*<[0-9a-f]*200b/i);
  expect(texts).not.toMatch(/<200b>/i);
});

/** A PDF with its deflated streams inflated. */
function contentsOf(pdf: Buffer): string {
  const raw = pdf.toString('latin1');
  const streams = [...raw.matchAll(/[^d]stream\r?\n/g)].map(({ index, 0: mark }) => {
    try {
      return inflateSync(pdf.subarray(index + mark.length)).toString('latin1');
    } catch {
      return '';
    }
  });
  return [raw, ...streams].join('\n');
}

test('a long run of characters can be broken, and loses no character', () => {
  const path = `/${'x'.repeat(60)}/a?b=1`;
  expect(breakable(path).replaceAll('\u200b', '')).toBe(path);
  expect(
    Math.max(
      ...breakable(path)
        .split('\u200b')
        .map((part) => part.length),
    ),
  ).toBeLessThanOrEqual(14);
});

test.each([
  [0, 1],
  [7, 8],
  [99, 100],
  [101, 150],
  [2_345, 3_000],
])('an axis up to %i ends at %i', (value, top) => {
  expect(niceTop(value)).toBe(top);
});

test('the impact determines the level', () => {
  const impacts: Finding['impact'][] = [100, 65, 64, 35, 34, 0];
  expect(impacts.map(levelOf)).toEqual(['high', 'high', 'medium', 'medium', 'low', 'low']);
});
