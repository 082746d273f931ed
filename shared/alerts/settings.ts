import { z } from 'zod';
import { alertTypeNames } from './alert.js';

/**
 * Alert settings of a website and its notification channels (spec §2.4 `config`). Severities are ranks in `severities`,
 * from 1.
 */

const minutes = z.int().min(5).max(1_440).multipleOf(5);
const severity = z.int().min(1).max(3);
const names = z.array(z.string().trim().min(1).max(200)).max(200);

export const alertSettingsSchema = z.strictObject({
  alerts_enabled: z.boolean(),
  traffic_alerts_enabled: z.boolean(),
  traffic_frequency_minutes: minutes,
  error_alerts_enabled: z.boolean(),
  error_frequency_minutes: minutes,
  bot_alerts_enabled: z.boolean(),
  bot_frequency_minutes: minutes,
  seo_alerts_enabled: z.boolean(),
  seo_frequency_minutes: minutes,
  /**
   * Crawlers and bots for which crawler and bot rules do not alert. The API's suppressions (spec §3.5) are added on
   * reading.
   */
  suppressed_crawlers: names,
  suppressed_bots: names,
  email_notifications_enabled: z.boolean(),
  email_disabled_types: z.array(z.enum(alertTypeNames)).max(alertTypeNames.length),
  min_email_severity: severity,
  digest_enabled: z.boolean(),
  min_digest_severity: severity,
  digest_send_hour_utc: z.int().min(0).max(23),
  webhook_notifications_enabled: z.boolean(),
  webhook_urls: z.array(z.url({ protocol: /^https?$/ }).max(2_048)).max(10),
});
export type AlertSettings = z.infer<typeof alertSettingsSchema>;

/** Apply until the operator changes them. */
export const defaultAlertSettings: AlertSettings = {
  alerts_enabled: true,
  traffic_alerts_enabled: true,
  traffic_frequency_minutes: 15,
  error_alerts_enabled: true,
  error_frequency_minutes: 5,
  bot_alerts_enabled: true,
  bot_frequency_minutes: 15,
  seo_alerts_enabled: true,
  seo_frequency_minutes: 60,
  suppressed_crawlers: [],
  suppressed_bots: [],
  email_notifications_enabled: false,
  email_disabled_types: [],
  min_email_severity: 2,
  digest_enabled: false,
  min_digest_severity: 1,
  digest_send_hour_utc: 7,
  webhook_notifications_enabled: false,
  webhook_urls: [],
};
