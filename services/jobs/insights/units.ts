/** Units of figures: as names of fields tell them, and as texts write them. */

/** `status`: a status of HTTP, written bare or as in `404s`. '': a count, a score, a place: whatever stands without a unit. */
export type Unit = '' | 'status' | '%' | 'pp' | 'ms' | 'seconds' | 'bytes' | 'hours' | 'days' | 'unread';

export const UNITS: readonly Unit[] = [
  ...(['', 'status', '%', 'pp', 'ms', 'seconds', 'bytes', 'hours', 'days'] as const),
];

/** What a part of a field's name says of its figures. Of several the last says it: `avg_time_ms_pct` is a percentage. */
const PARTS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ...(['pct', 'percent', 'percentage', 'share'] as const).map((part) => [part, '%'] as const),
  ...([
    ['pp', 'pp'],
    ['ms', 'ms'],
    ['secs', 'seconds'],
    ['seconds', 'seconds'],
  ] as const),
  ...([
    ['bytes', 'bytes'],
    ['hours', 'hours'],
    ['days', 'days'],
  ] as const),
]);

/** @param field its name in an answer: `avg_time_ms`. */
export function unitOfField(field: string): Unit {
  if (field === 'status') return 'status';
  return field.split('_').reduce<Unit>((unit, part) => PARTS.get(part) ?? unit, '');
}

const words = (unit: Unit, written: string) => written.split(' ').map((word) => [word, unit] as const);

/** Of those called `unread` no answer has figures: they change what a figure says. */
const WORDS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ...words('%', '% percent pct'),
  ...words('pp', 'pp points'),
  ...words('ms', 'ms msec msecs millisecond milliseconds'),
  ...words('seconds', 's sec secs second seconds'),
  ...words('bytes', 'byte bytes'),
  ...words('hours', 'h hr hrs hour hours'),
  ...words('days', 'd day days'),
  ...words('unread', 'm min mins minute minutes w week weeks month months y year years quarters'),
  ...words('unread', 'µs μs us ns microseconds nanoseconds'),
  ...words('unread', 'b kb mb gb tb pb kib mib gib tib pib kbit mbit gbit bit bits'),
  ...words('unread', 'kilobyte kilobytes megabyte megabytes gigabyte gigabytes terabyte terabytes'),
  ...words(
    'unread',
    'k mn mm bn tn mio mrd lakh lakhs crore crores x ppm fold hz rpm rps qps req/s grand squared cubed',
  ),
  ...words('unread', 'usd eur gbp dollar dollars euro euros pound pounds cents'),
]);

/** @returns undefined where it is no unit. @param word lower case, without marks around it. */
export function unitOfWord(word: string): Unit | undefined {
  const unit = WORDS.get(word);
  if (unit !== undefined) return unit;
  // Of currency, degrees, per mille, and other signs.
  return /^(?:[\p{Sc}°‰‱×]|%\p{L}?)/u.test(word) ? 'unread' : undefined;
}
