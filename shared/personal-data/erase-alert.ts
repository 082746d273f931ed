import type { Alert } from '../alerts/alert.js';
import type { NamesIt } from './naming-address.js';
import { ERASED } from './personal-fields.js';

/** Whether the alert's subject, sentence or evidence names an address. */
export function alertNames({ subject, message, details }: Alert, names: NamesIt): boolean {
  return names(subject) || names(message) || namesSomewhere(details, names);
}

/** It keeps its id and times, so that who has read it knows it again. @returns the same value where its texts are gone already. */
export function withoutTexts(alert: Alert): Alert {
  if (alert.message === ERASED) return alert;
  return { ...alert, subject: '', message: ERASED, details: {} };
}

/** Texts one by one, as they are: in JSON what stands before an address may be an escape that ends like a part of it. */
function namesSomewhere(value: unknown, names: NamesIt): boolean {
  if (typeof value === 'string') return names(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, held]) => names(key) || namesSomewhere(held, names));
}
