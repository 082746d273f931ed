/** What an insight may say: the figures and the texts that tools returned. */

export interface KnownFacts {
  /** Takes in what the model is shown. @param value JSON */
  add(value: unknown): void;
  /** Whether a figure is one of these, or one of these rounded to as many decimals as it has. @param written digits and at most one point. */
  hasFigure(written: string): boolean;
  /** Whether it stands in one of the instants: `2026-11-22`, `14:00`. */
  hasInstant(written: string): boolean;
  /** Whether it is one of the texts, by the letter. */
  hasText(written: string): boolean;
}

/** A day or an instant, whole: no path begins so. */
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T(\d{2}:\d{2})[\d:.]*Z)?$/;
const DAY_LENGTH = 'YYYY-MM-DD'.length;
/** Answers have two digits at most. */
const MOST_DECIMALS = 3;

/**
 * Numbers of tools count as figures, numbers within texts don't: a path or a user agent is written by whoever sends requests, and would make
 * any figure true.
 */
export function createKnownFacts(): KnownFacts {
  const figures = new Set<string>();
  const instants = new Set<string>();
  const texts = new Set<string>();

  function addNumber(value: number): void {
    const size = Math.abs(value);
    figures.add(plain(size));
    for (let decimals = 0; decimals <= MOST_DECIMALS; decimals++) figures.add(plain(round(size, decimals)));
  }

  function addText(value: string): void {
    texts.add(value);
    const instant = INSTANT.exec(value);
    if (instant === null) return;
    instants.add(value.slice(0, DAY_LENGTH));
    if (instant[1] !== undefined) instants.add(instant[1]);
  }

  function add(value: unknown): void {
    if (typeof value === 'number') addNumber(value);
    else if (typeof value === 'string') addText(value);
    else if (Array.isArray(value)) value.forEach(add);
    else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) {
        texts.add(name);
        add(each);
      }
  }

  return {
    add,
    hasFigure: (written) => figures.has(plain(Number(written))),
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
