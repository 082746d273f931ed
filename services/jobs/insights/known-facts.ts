import { formatFigure, formatInstant, isInstantField, isStatusKeyed } from './format-fact.js';
import { cleanTexts, type Json } from './shorten-answer.js';

/** The facts of one conversation: every figure and text that the model was shown, each with a number. */

export interface Fact {
  /** `figure`: a number or an instant of an answer. `term`: one of our own words. `name`: a text that may come from a log. */
  readonly kind: 'figure' | 'term' | 'name';
  /** The text in an insight. */
  readonly text: string;
}

export interface KnownFacts {
  /**
   * Numbers the facts of an answer.
   * @returns the answer for the model, with `{fact_7}: 1,204` for each figure and text; null if it cannot be shortened enough
   */
  show(answer: unknown): Json;
  /** @param number the digits of a reference */
  get(number: string): Fact | undefined;
}

/** A reference in a text of the model. Its first group is the number. */
export const REFERENCE = /\{fact_([1-9]\d{0,5})\}/;

/** Bytes of one result; a token has at least one byte. */
const MOST_BYTES = 12 * 1024;
/** Lengths of lists, tried in this order until the result is short enough. */
const LENGTHS = [12, 8, 5, 3, 1, 0];

/** @param terms our own words with digits: `4xx` */
export function createKnownFacts(terms: readonly string[] = []): KnownFacts {
  let facts: readonly Fact[] = terms.map((text) => ({ kind: 'term', text }));
  return {
    show(answer) {
      for (const length of LENGTHS) {
        const { shown, all } = numberFacts(cleanTexts(answer, length), facts);
        if (Buffer.byteLength(JSON.stringify(shown)) > MOST_BYTES) continue;
        facts = all;
        return shown;
      }
      return null;
    },
    get: (number) => facts[Number(number) - 1],
  };
}

/** @param known the facts so far; `all` has them and then those of `answer` */
function numberFacts(answer: Json, known: readonly Fact[]): { readonly shown: Json; readonly all: Fact[] } {
  const all = [...known];
  const numbers = new Map(
    all.flatMap(({ kind, text }, at) => (kind === 'figure' ? [] : [[text, at + 1] as const])),
  );

  function figure(text: string): string {
    return `{fact_${all.push({ kind: 'figure', text })}}: ${text}`;
  }

  /** A repeated text has one number. */
  function name(text: string): string {
    if (text === '' || readsAsFigure(text)) return text;
    const number = numbers.get(text) ?? all.push({ kind: 'name', text });
    numbers.set(text, number);
    return `{fact_${number}}: ${text}`;
  }

  function key(text: string, object: string): string {
    if (isStatusKeyed(object) && /^\d{1,3}$/.test(text)) return figure(text);
    // Our own field names stay unchanged; the keys of a series are names of crawlers.
    return /^[a-z][a-z\d_]*$/.test(text) ? text : name(text);
  }

  function show(value: Json, field: string, object: string): Json {
    if (typeof value === 'number') return figure(formatFigure(value, field, object));
    if (typeof value === 'string') {
      const instant = isInstantField(field) ? formatInstant(value) : null;
      return instant === null ? name(value) : figure(instant);
    }
    if (Array.isArray(value)) return value.map((each) => show(each, field, object));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([each, inner]) => [key(each, field), show(inner, each, field)]),
    );
  }

  return { shown: show(answer, '', ''), all };
}

/** A foreign text that looks like a figure (`99999 visits`, `+49 30 12`) has no number. A path does not look like one. */
function readsAsFigure(text: string): boolean {
  if (text.startsWith('/') || !/\p{N}/u.test(text)) return false;
  return !/\p{L}/u.test(text) || /^[+(]{0,2}\d[\d.,]*\s/.test(text);
}
