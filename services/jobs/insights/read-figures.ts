import type { KnownFacts, Sign } from './known-facts.js';
import { type Unit, unitOfWord } from './units.js';

/** Figures of a text, each held against the tools' once its unit is known. */

/** Between two figures of one unit: `361 to 343 ms`. */
const CONNECTORS: ReadonlySet<string> = new Set(['to', 'and', 'or', 'vs', 'versus', '→', '->', '&']);

interface Figure {
  readonly written: string;
  readonly number: string;
  readonly sign: Sign;
}

/** Reads the words of a text in their order; each call tells what speaks against the figures that it closes. */
export function createFigureReader(known: KnownFacts) {
  let open: Figure[] = [];
  let isConnected = false;

  function* settle(unit: Unit): Generator<string> {
    const figures = open;
    open = [];
    isConnected = false;
    for (const { written, number, sign } of figures) {
      const units = known.unitsOf(number, sign);
      if (units.includes(unit) || (unit === '' && units.includes('status'))) continue;
      yield units.length === 0
        ? `"${written}" is no figure of a tool's result; leave it out, or put a name in backticks as the tool gave it.`
        : `"${written}" is ${units.map(nameOf).join(' or ')} in the tool's result${unit === '' ? '; write its unit behind it' : ', not what you call it'}.`;
    }
  }

  return {
    /** @param number digits and at most one point. @param suffix written to it: `%`, `ms`; '' where there is none. */
    *take(figure: Figure, suffix: string): Generator<string> {
      if (!isConnected) yield* settle('');
      open.push(figure);
      isConnected = false;
      if (suffix === '') return;
      // 404s are answers with this status.
      const isPlural = suffix === 's' && known.unitsOf(figure.number, figure.sign).includes('status');
      yield* settle(isPlural ? 'status' : (unitOfWord(suffix.toLowerCase()) ?? 'unread'));
    },
    /** A word that is no figure: a unit of what is open, a connector, or its end. @param word lower case; '' ends it in any case. */
    *pass(word: string): Generator<string> {
      if (open.length === 0) return;
      const unit = unitOfWord(word);
      if (unit === undefined && CONNECTORS.has(word)) isConnected = true;
      else yield* settle(unit ?? '');
    },
  };
}

function nameOf(unit: Unit): string {
  return unit === '' ? 'a count' : unit === 'status' ? 'a status' : `in ${unit}`;
}

/** Digits, with commas between thousands, with a point before decimals. */
export function isNumber(word: string): boolean {
  return /^\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,9})?$/.test(word) || /^\d{1,18}(?:\.\d{1,9})?$/.test(word);
}

export interface WrittenNumber {
  /** Without commas. */
  readonly number: string;
  readonly sign: Sign;
  readonly suffix: string;
}

/** A word as a number with what is written to it; null where it is none. @param before a sign that stood before the word. */
export function readNumber(word: string, before: Sign): WrittenNumber | null {
  const marks = /^[+\-−~≈<>=]*/.exec(word)![0];
  const rest = word.slice(marks.length);
  const digits = /^[\d.,]*/.exec(rest)![0];
  const suffix = rest.slice(digits.length);
  if (!isNumber(digits) || !/^(?:%|°|\p{L}{1,12})?$/u.test(suffix)) return null;
  const sign = marks.includes('+') ? '+' : /[-−]/.test(marks) ? '-' : before;
  return { number: digits.replaceAll(',', ''), sign, suffix };
}
