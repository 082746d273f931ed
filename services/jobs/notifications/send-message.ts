import type { AlertSettings } from '../../../shared/alerts/settings.js';
import type { Export } from '../../../shared/control/domain/model.js';
import { SECOND_MS } from '../../../shared/durations.js';
import { FetchError } from '../../../shared/fetch/fetch-error.js';
import type { Fetcher } from '../../../shared/fetch/fetcher.js';
import type { Delivery } from '../../../shared/reads/notifications/notification-deliveries.js';
import { type Mailer, MailRefusedError } from '../mail/mailer.js';
import type { Ending } from './after-attempt.js';
import { alertEmail, type EmailText } from './email/alert-email.js';
import { digestEmail } from './email/digest-email.js';
import { exportEmail } from './email/export-email.js';
import { importEmail } from './email/import-email.js';
import type { DigestContent, ExportContent, MessageContent } from './messages/content.js';
import { targetOfUrl } from './messages/make-deliveries.js';
import { type NamedWebsite, webhookBody } from './messages/webhook-body.js';
import { webhookHeaders } from './sign-webhook.js';

export interface SendDependencies {
  /** null: this installation sends no e-mail. */
  readonly mailer: Mailer | null;
  /** The guarded client for URLs of customers (shared/fetch). */
  readonly fetch: Fetcher;
  readonly websiteOf: (id: string) => NamedWebsite | undefined;
  readonly emailOf: (userId: string) => string | undefined;
  readonly settingsOf: (websiteId: string) => AlertSettings;
  /** undefined: the export has expired or was erased. */
  readonly exportOf: (id: string) => Export | undefined;
  /** The address of a completed export's file. Anyone with the address can download it. */
  readonly linkOf: (done: Export) => Promise<string | null>;
  /** null: the website has no secret yet. */
  readonly secretOf: (websiteId: string) => Promise<string | null>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const WEBHOOK_LIMITS = { maxBytes: 1, maxInflatedBytes: 1, maxRedirects: 0, timeoutMs: 10 * SECOND_MS };
const MAIL_TIMEOUT_MS = 30 * SECOND_MS;
/** RFC 9110 §15.5.11: the receiver wants no more requests. */
const GONE = 410;

const SWITCHED_OFF: Ending = { status: 'dropped', reason: 'it was switched off' };

/**
 * Tries once to deliver a message, with the current settings and not those of when it was queued. Never throws on faults of the receiver.
 * @param signal cancels the attempt; the message may have been delivered
 */
export function sendMessage(
  delivery: Delivery,
  deps: SendDependencies,
  signal: AbortSignal,
): Promise<Ending> {
  const website = deps.websiteOf(delivery.websiteId);
  if (website === undefined) return Promise.resolve({ status: 'dropped', reason: 'the website is gone' });
  if (delivery.channel === 'webhook') return sendWebhook(delivery, website, deps, signal);
  return delivery.channel === 'export'
    ? sendExportEmail(delivery, website, deps, signal)
    : sendNewsEmail(delivery, website, deps, signal);
}

async function sendNewsEmail(
  delivery: Delivery,
  website: NamedWebsite,
  deps: SendDependencies,
  signal: AbortSignal,
): Promise<Ending> {
  const { channel, content, websiteId } = delivery;
  const settings = deps.settingsOf(websiteId);
  const isWanted = channel === 'digest' ? settings.digest_enabled : settings.email_notifications_enabled;
  if (!settings.alerts_enabled || !isWanted) return SWITCHED_OFF;
  const email =
    channel === 'digest'
      ? digestEmail(JSON.parse(content) as DigestContent, website)
      : messageEmail(JSON.parse(content) as MessageContent, website);
  return sendEmail(delivery, email, deps, signal);
}

function messageEmail(content: MessageContent, website: NamedWebsite): EmailText {
  return 'alert' in content ? alertEmail(content, website) : importEmail(content, website);
}

/** The user who requested the export with `notify` gets it, even if alerts are switched off. */
async function sendExportEmail(
  delivery: Delivery,
  website: NamedWebsite,
  deps: SendDependencies,
  signal: AbortSignal,
): Promise<Ending> {
  const { exportId } = JSON.parse(delivery.content) as ExportContent;
  const over = deps.exportOf(exportId);
  if (over === undefined) return { status: 'dropped', reason: 'the export is gone' };
  const link = over.status === 'completed' ? await deps.linkOf(over) : null;
  return sendEmail(delivery, exportEmail(over, website, link), deps, signal);
}

async function sendEmail(
  { id, target }: Delivery,
  email: EmailText,
  { mailer, emailOf }: SendDependencies,
  signal: AbortSignal,
): Promise<Ending> {
  const to = emailOf(target);
  if (to === undefined) return { status: 'dropped', reason: 'the user is gone' };
  if (mailer === null) return { status: 'failed', reason: 'no e-mail is sent here: SMTP_URL is not set' };
  try {
    await mailer.send({ ...email, to, messageId: id }, within(MAIL_TIMEOUT_MS, signal));
    return { status: 'sent' };
  } catch (error) {
    const status = error instanceof MailRefusedError ? 'dead' : 'failed';
    return { status, reason: (error as Error).message };
  }
}

async function sendWebhook(
  { id, target, content, websiteId }: Delivery,
  website: NamedWebsite,
  { fetch, settingsOf, secretOf, now }: SendDependencies,
  signal: AbortSignal,
): Promise<Ending> {
  const settings = settingsOf(websiteId);
  if (!settings.alerts_enabled || !settings.webhook_notifications_enabled) return SWITCHED_OFF;
  const url = settings.webhook_urls.find((each) => targetOfUrl(each) === target);
  if (url === undefined) return { status: 'dropped', reason: 'its URL was removed from the settings' };
  const secret = await secretOf(websiteId);
  if (secret === null)
    return {
      status: 'failed',
      reason: 'there is no secret to sign it with: make one (alerts webhook-secret)',
    };
  const body = webhookBody(id, JSON.parse(content) as MessageContent, website);
  try {
    const { status, discard } = await fetch(url, {
      ...WEBHOOK_LIMITS,
      headers: webhookHeaders({ id, body, secret, now: now() }),
      post: { body: Buffer.from(body), contentType: 'application/json' },
      signal,
    });
    discard();
    return endingOf(status);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const isHopeless = error.code === 'invalid_url' || error.code === 'blocked_address';
    return { status: isHopeless ? 'dead' : 'failed', reason: error.message };
  }
}

function endingOf(status: number): Ending {
  if (status >= 200 && status < 300) return { status: 'sent' };
  if (status === GONE) return { status: 'dead', reason: 'it answered 410: it wants no more messages' };
  const note = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
  return { status: 'failed', reason: `it answered ${status}${note}` };
}

function within(ms: number, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}
