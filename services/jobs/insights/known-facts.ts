/** What an insight may say: the figures and the texts that tools returned. */

export type Sign = '' | '+' | '-';

export interface KnownFacts {
  /** Takes in what the model is shown. @param value JSON */
  add(value: unknown): void;
  /**
   * Whether a figure is one of these, or one of these rounded to as many decimals as it has.
   * @param written digits and at most one point. @param sign that stands before it; '' leaves it open.
   */
  hasFigure(written: string, sign?: Sign): boolean;
  /** Whether it stands in one of the instants: `2026-11-22`, `14:00`. */
  hasInstant(written: string): boolean;
  /** Whether it is one of the texts, by the letter. */
  hasText(written: string): boolean;
}

/** A day or an instant, whole: no path begins so. */
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T(\d{2}:\d{2})[\d:.]*Z)?$/;
const DAY_LENGTH = 'YYYY-MM-DD'.length;
/** Answers have two at most. */
const DECIMALS = [0, 1, 2, 3];
/** What the API tells instants in. Other texts are of the log: a user agent may look like a day. */
const INSTANT_FIELD =
  /^(?:start|end|time|day|date|data_since|judged_since|(?:first|last)_\w{1,40}|\w{1,40}_at)$/;

/**
 * Numbers of tools count as figures, numbers within texts don't: a path or a user agent is written by whoever sends requests, and would make
 * any figure true.
 */
export function createKnownFacts(): KnownFacts {
  /** With their signs, and without. */
  const figures = new Set<string>();
  const instants = new Set<string>();
  const texts = new Set<string>();

  function addNumber(value: number): void {
    const size = Math.abs(value);
    const sign = value < 0 ? '-' : '+';
    for (const each of [size, ...DECIMALS.map((decimals) => round(size, decimals))]) {
      figures.add(plain(each));
      figures.add(`${sign}${plain(each)}`);
    }
  }

  function addText(value: string, field: string): void {
    texts.add(value);
    const instant = INSTANT_FIELD.test(field) ? INSTANT.exec(value) : null;
    if (instant === null) return;
    instants.add(value.slice(0, DAY_LENGTH));
    if (instant[1] !== undefined) instants.add(instant[1]);
  }

  function add(value: unknown, field = ''): void {
    if (typeof value === 'number') addNumber(value);
    else if (typeof value === 'string') addText(value, field);
    else if (Array.isArray(value)) for (const each of value) add(each, field);
    else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) {
        texts.add(name);
        add(each, name);
      }
  }

  return {
    add: (value) => add(value),
    hasFigure: (written, sign = '') => figures.has(`${sign}${plain(Number(written))}`),
    hasInstant: (written) => instants.has(written),
    hasText: (written) => texts.has(written),
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
