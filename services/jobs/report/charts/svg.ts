import { escapeMarkup } from '../../html/escape-markup.js';

/** Draws without a library. The SVG has no style sheet and no script, for a page and a PDF. */

export type Attributes = Readonly<Record<string, string | number>>;

/** @param inner markup */
export function element(name: string, attributes: Attributes, inner = ''): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeMarkup(typeof value === 'number' ? String(round(value)) : value)}"`,
  );
  return `<${name}${written.join('')}>${inner}</${name}>`;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** @param inner markup. @param alt text for screen readers */
export function picture(width: number, height: number, alt: string, inner: string): string {
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      role: 'img',
      'aria-label': alt,
      ...size,
      'font-family': 'sans-serif',
    },
    inner,
  );
}

export function label(x: number, y: number, text: string, attributes: Attributes = {}): string {
  return element('text', { x, y, 'font-size': 11, fill: INK, ...attributes }, escapeMarkup(text));
}

const INK = '#24323f';
export const FAINT = '#d5dce3';

/** The colours also differ in lightness, for prints in grey and for people who see no red or green. */
export const palette = ['#1b4f8f', '#d9730d', '#5f6b76', '#7d4ea3', '#2b8a6e', '#b3334b'] as const;

/** The end of an axis: the smallest of the steps 1, 1.5, 2, 3, 4 … times a power of ten that is at least the value. */
export function niceTop(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((top) => top >= value)!;
}
