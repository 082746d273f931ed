import type { Alert } from '../../alerts/alert.js';
import { alertRecord, decodeAlert } from '../../alerts/alert-codec.js';
import type { Signal } from '../../detection/signal.js';
import { decodeSignal, signalRecord } from '../../detection/signal-codec.js';
import { namingAddress } from '../../requests/naming-address.js';
import { ERASED } from '../personal-fields.js';

/** What the log holds of a website's traffic and of what was found in it, without a subject. Records stay where they are, with less in them. */
export interface DetectionEraser {
  /** A value of `requests.signals`; null: nothing of the subject is in it. */
  signal(value: Buffer): Buffer | null;
  /** A value of `alerts`. */
  alert(value: Buffer): Buffer | null;
}

/** All that was counted and found on the websites. */
export function websiteDetection(websites: ReadonlySet<string>): DetectionEraser {
  return {
    signal: (value) =>
      changed(value, decodeSignal, (signal) =>
        websites.has(signal.websiteId) && signal.minutes.length > 0
          ? toBytes({ ...signal, minutes: [] })
          : null,
      ),
    alert: (value) =>
      changed(value, decodeAlert, (alert) => (websites.has(alert.websiteId) ? withoutTexts(alert) : null)),
  };
}

/** Entries of an address, and alerts that name it; counts stay. @param websiteId null: of all websites. */
export function addressDetection(address: string, websiteId: string | null): DetectionEraser {
  const naming = new RegExp(namingAddress(address));
  const ofWebsite = (id: string) => websiteId === null || id === websiteId;
  return {
    signal: (value) =>
      changed(value, decodeSignal, (signal) => {
        if (!ofWebsite(signal.websiteId)) return null;
        const without = withoutAddress(signal, address);
        return JSON.stringify(without) === JSON.stringify(signal) ? null : toBytes(without);
      }),
    alert: (value) =>
      changed(value, decodeAlert, (alert) => {
        const texts = [alert.subject, alert.message, JSON.stringify(alert.details)];
        return ofWebsite(alert.websiteId) && texts.some((text) => naming.test(text))
          ? withoutTexts(alert)
          : null;
      }),
  };
}

function withoutAddress(signal: Signal, address: string): Signal {
  return {
    ...signal,
    minutes: signal.minutes.map((minute) => ({
      ...minute,
      byBot: minute.byBot.map((bot) =>
        bot.sampleIp === address ? { ...bot, sampleIp: '', sampleUserAgent: '', samplePath: '' } : bot,
      ),
      byClient: minute.byClient.filter(({ ip }) => ip !== address),
    })),
  };
}

/** It keeps its id and times, so that who has read it knows it again. */
function withoutTexts(alert: Alert): Buffer | null {
  if (alert.message === ERASED) return null;
  return alertRecord({ ...alert, subject: '', message: ERASED, details: {} }).value;
}

const toBytes = (signal: Signal) => signalRecord(signal).value;

/** What no release can read is of nobody any more. */
function changed<Read>(
  value: Buffer,
  decode: (value: Buffer) => Read,
  change: (read: Read) => Buffer | null,
): Buffer | null {
  let read: Read;
  try {
    read = decode(value);
  } catch {
    return value.length > 1 ? Buffer.of(0) : null;
  }
  return change(read);
}
