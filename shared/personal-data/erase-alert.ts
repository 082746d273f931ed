import type { Alert } from '../alerts/alert.js';
import type { NamesIt } from './naming-address.js';
import { ERASED } from './personal-fields.js';

/** Whether the alert's subject, message or details name an address. */
export function alertNames({ subject, message, details }: Alert, names: NamesIt): boolean {
  return names(subject) || names(message) || namesSomewhere(details, names);
}

/**
 * Removes the texts. Id and times stay, so that people recognise the alert. @returns the same value if its texts are
 * already erased.
 */
export function withoutTexts(alert: Alert): Alert {
  if (alert.message === ERASED) return alert;
  return { ...alert, subject: '', message: ERASED, details: {} };
}

/** Checks each text separately. In JSON an escape before an address could look like part of it. */
function namesSomewhere(value: unknown, names: NamesIt): boolean {
  if (typeof value === 'string') return names(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, held]) => names(key) || namesSomewhere(held, names));
}
