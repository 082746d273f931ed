/** How facts read in an insight: the unit of a figure by the name of its field. */

type Unit = '%' | 'pp' | 'ms' | 'second' | 'byte' | 'hour' | 'day';

/** What a part of a field's name says of its figures. The last such part decides: `avg_time_ms_pct` is a percentage. */
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
/** A change always has its sign, so that the words around it can not turn it. */
const signed = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4, signDisplay: 'exceptZero' });

/** @param field its name in an answer: `avg_time_ms`. @param object the name of the object that has the field: `deltas`. */
export function formatFigure(value: number, field: string, object: string): string {
  if (field === 'status') return String(value);
  const isChange = object === 'deltas' || /^delta_|_pp$/.test(field);
  const number = (isChange ? signed : usual).format(value);
  const unit = field.split('_').reduce<Unit | null>((last, part) => UNITS.get(part) ?? last, null);
  if (unit === null) return number;
  const isPlural = unit.length > 2 && value !== 1;
  return `${number} ${unit}${isPlural ? 's' : ''}`;
}

/** Names of objects whose names are statuses of HTTP. */
export function isStatusKeyed(object: string): boolean {
  return ['statuses', 'rejected_by_status', 'rejected_verified_by_status'].includes(object);
}

/** Fields that hold instants of ours. Other texts are of the log: a user agent may look like a day. */
export function isInstantField(field: string): boolean {
  return /^(?:start|end|time|time_bucket|day|date|data_since|judged_since|(?:first|last)_\w{1,40}|\w{1,40}_at)$/.test(
    field,
  );
}

/** @param text `2026-11-22` or an instant of ISO 8601 in UTC. @returns null where it is neither. */
export function formatInstant(text: string): string | null {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})[\d:.]{0,12}Z)?$/.exec(text) ?? [];
  if (day === undefined) return null;
  return time === undefined || time === '00:00' ? day : `${day} ${time} UTC`;
}
