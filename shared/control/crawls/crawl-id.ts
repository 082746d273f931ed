import { createHash } from 'node:crypto';

const FORM = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)_[0-9a-z]{8}$/;

/**
 * `20261121T120000_4f1c09ab` (spec §2.6).
 * @param at time of the request, milliseconds since the epoch
 * @param random source of the last eight characters
 */
export function crawlIdOf(at: number, random: string): string {
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return `${time}_${createHash('sha256').update(random).digest('hex').slice(0, 8)}`;
}

/** Time of the crawl's request, milliseconds since the epoch; null: not a crawl id. */
export function crawlIdTime(id: string): number | null {
  const parts = FORM.exec(id);
  if (parts === null) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1);
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isFinite(at) ? at : null;
}
