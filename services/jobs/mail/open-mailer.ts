import { type Config, ConfigError } from '../../../shared/config.js';
import type { Mailer } from './mailer.js';
import { createSmtpMailer } from './smtp-mailer.js';

/**
 * The configured mailer; null: none, and no e-mail is sent.
 * @throws ConfigError if one of the two variables is missing
 */
export function openMailer({
  SMTP_URL: url,
  MAIL_FROM: from,
}: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>): Mailer | null {
  if (url === undefined && from === undefined) return null;
  if (url === undefined) throw new ConfigError('configuration: MAIL_FROM: needs SMTP_URL');
  if (from === undefined) throw new ConfigError('configuration: SMTP_URL: needs MAIL_FROM');
  return createSmtpMailer({ url, from });
}
