import { UNITS, type Unit, unitOfField } from './units.js';

/** What an insight may say: the figures and the texts that tools returned. */

export type Sign = '' | '+' | '-';

export interface KnownFacts {
  /** Takes in what the model is shown. @param value JSON */
  add(value: unknown): void;
  /**
   * In which units there is such a figure, or one that is it when rounded to as many decimals as it has.
   * @param written digits and at most one point. @param sign that stands before it; '' leaves it open.
   */
  unitsOf(written: string, sign: Sign): readonly Unit[];
  /** Whether it stands in one of the instants: `2026-11-22`, `14:00`. */
  hasInstant(written: string): boolean;
  /** Whether it is one of the texts, by the letter. */
  hasText(written: string): boolean;
  /** Whether it is a word of a place's name: others have letters with marks, too, and stand in backticks. */
  hasPlaceWord(word: string): boolean;
}

/** A day or an instant, whole: no path begins so. */
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T(\d{2}:\d{2})[\d:.]*Z)?$/;
const DAY_LENGTH = 'YYYY-MM-DD'.length;
/** Answers have two at most. */
const DECIMALS = [0, 1, 2, 3];
/** What the API tells instants in. Other texts are of the log: a user agent may look like a day. */
const INSTANT_FIELD =
  /^(?:start|end|time|day|date|data_since|judged_since|(?:first|last)_\w{1,40}|\w{1,40}_at)$/;

const PLACE_FIELD = /^(?:country_name|region|city)$/;
/** Their names are statuses of HTTP. */
const STATUS_FIELD = /^(?:statuses|rejected_by_status)$/;

/**
 * Numbers of tools count as figures, numbers within texts don't: a path or a user agent is written by whoever sends requests, and would make
 * any figure true.
 */
export function createKnownFacts(): KnownFacts {
  /** With their signs, and without. */
  const figures = new Set<string>();
  const instants = new Set<string>();
  const texts = new Set<string>();
  const placeWords = new Set<string>();

  function addNumber(value: number, unit: Unit): void {
    const size = Math.abs(value);
    const sign = value < 0 ? '-' : '+';
    for (const each of [size, ...DECIMALS.map((decimals) => round(size, decimals))]) {
      figures.add(`${unit} ${plain(each)}`);
      figures.add(`${unit} ${sign}${plain(each)}`);
    }
  }

  function addText(value: string, field: string): void {
    texts.add(value);
    if (PLACE_FIELD.test(field)) for (const [word] of value.matchAll(/\p{L}+/gu)) placeWords.add(word);
    const instant = INSTANT_FIELD.test(field) ? INSTANT.exec(value) : null;
    if (instant === null) return;
    instants.add(value.slice(0, DAY_LENGTH));
    if (instant[1] !== undefined) instants.add(instant[1]);
  }

  function add(value: unknown, field = ''): void {
    if (typeof value === 'number') addNumber(value, unitOfField(field));
    else if (typeof value === 'string') addText(value, field);
    else if (Array.isArray(value)) for (const each of value) add(each, field);
    else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) {
        texts.add(name);
        if (STATUS_FIELD.test(field) && /^[1-5]\d\d$/.test(name)) addNumber(Number(name), 'status');
        add(each, name);
      }
  }

  return {
    add: (value) => add(value),
    unitsOf: (written, sign) =>
      UNITS.filter((unit) => figures.has(`${unit} ${sign}${plain(Number(written))}`)),
    hasInstant: (written) => instants.has(written),
    hasText: (written) => texts.has(written),
    hasPlaceWord: (word) => placeWords.has(word),
  };
}

/** Half away from zero, as people round. */
function round(value: number, decimals: number): number {
  return Number(`${Math.round(Number(`${value}e${decimals}`))}e-${decimals}`);
}

/** `12`, `12.5`: never with an exponent for what answers hold. */
function plain(value: number): string {
  return String(value);
}
