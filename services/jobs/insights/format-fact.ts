/** Formats facts for an insight. The field's name determines the unit. */

type Unit = '%' | 'pp' | 'ms' | 'second' | 'byte' | 'hour' | 'day';

/** Units by a part of the field's name. The last such part decides: `avg_time_ms_pct` is a percentage. */
const UNITS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ...(['pct', 'percent', 'percentage', 'share'] as const).map((part) => [part, '%'] as const),
  ...([
    ['pp', 'pp'],
    ['ms', 'ms'],
    ['secs', 'second'],
    ['seconds', 'second'],
  ] as const),
  ...([
    ['bytes', 'byte'],
    ['hours', 'hour'],
    ['days', 'day'],
  ] as const),
]);

const usual = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4, signDisplay: 'negative' });
/** A change always has its sign, so words around it cannot reverse it. */
const signed = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4, signDisplay: 'exceptZero' });

/** @param field its name in an answer: `avg_time_ms`. @param object the name of the object with the field: `deltas` */
export function formatFigure(value: number, field: string, object: string): string {
  if (field === 'status') return String(value);
  const isChange = object === 'deltas' || /^delta_|_pp$/.test(field);
  const number = (isChange ? signed : usual).format(value);
  const unit = field.split('_').reduce<Unit | null>((last, part) => UNITS.get(part) ?? last, null);
  if (unit === null) return number;
  const isPlural = unit.length > 2 && value !== 1;
  return `${number} ${unit}${isPlural ? 's' : ''}`;
}

/** Objects whose keys are HTTP statuses. */
export function isStatusKeyed(object: string): boolean {
  return ['statuses', 'rejected_by_status', 'rejected_verified_by_status'].includes(object);
}

/** Fields with our own instants. Other texts come from the log: a user agent may look like a day. */
export function isInstantField(field: string): boolean {
  return /^(?:start|end|time|time_bucket|day|date|data_since|judged_since|(?:first|last)_\w{1,40}|\w{1,40}_at)$/.test(
    field,
  );
}

/** @param text `2026-11-22`, or an ISO 8601 instant in UTC. @returns null if it is neither */
export function formatInstant(text: string): string | null {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})[\d:.]{0,12}Z)?$/.exec(text) ?? [];
  if (day === undefined) return null;
  return time === undefined || time === '00:00' ? day : `${day} ${time} UTC`;
}
