import type { Alert } from '../../alerts/alert.js';
import { alertRecord, decodeAlert } from '../../alerts/alert-codec.js';
import { alertNames, withoutTexts } from '../../alerts/erase-alert.js';
import { withoutAddress } from '../../detection/forget-address.js';
import type { Signal } from '../../detection/signal.js';
import {
  decodeSignalRecord,
  type ForgetAddress,
  forgetRecord,
  signalRecord,
} from '../../detection/signal-codec.js';
import { textsNaming } from '../../requests/naming-address.js';

/** What the log holds of a website's traffic and of what was found in it, without a subject. Records stay where they are, with less in them. */
export interface DetectionEraser {
  /** A value of `requests.signals`; null: nothing of the subject is in it, or it tells to forget it. */
  signal(value: Buffer): Buffer | null;
  /** A value of `requests.signals` that tells to forget the subject, without its name; null: it is none. */
  forgetting(value: Buffer): Buffer | null;
  /** A value of `alerts`. */
  alert(value: Buffer): Buffer | null;
}

/** All that was counted and found on the websites. */
export function websiteDetection(websites: ReadonlySet<string>): DetectionEraser {
  return createDetectionEraser({
    signal: (signal) =>
      websites.has(signal.websiteId) && signal.minutes.length > 0 ? { ...signal, minutes: [] } : signal,
    // Its website is known by an id alone; the address is for who erases that.
    forgetting: () => false,
    alert: ({ websiteId }) => websites.has(websiteId),
  });
}

/** Entries of an address, and alerts that name it; counts stay. @param websiteId null: of all websites. */
export function addressDetection(address: string, websiteId: string | null): DetectionEraser {
  const names = textsNaming(address);
  const ofWebsite = (id: string) => websiteId === null || id === websiteId;
  return createDetectionEraser({
    signal(signal) {
      if (!ofWebsite(signal.websiteId)) return signal;
      const minutes = signal.minutes.map((minute) => withoutAddress(minute, names));
      return minutes.every((minute, index) => minute === signal.minutes[index])
        ? signal
        : { ...signal, minutes };
    },
    forgetting: (told) => told.address === address && ofWebsite(told.websiteId),
    alert: (alert) => ofWebsite(alert.websiteId) && alertNames(alert, names),
  });
}

/** What goes of what can be read. */
interface Going {
  /** @returns the same value: nothing. */
  signal(signal: Signal): Signal;
  forgetting(told: ForgetAddress): boolean;
  alert(alert: Alert): boolean;
}

function createDetectionEraser(going: Going): DetectionEraser {
  return {
    signal: (value) =>
      changed(value, decodeSignalRecord, (record) => {
        if (record.kind === 'forget') return null;
        const without = going.signal(record.signal);
        return without === record.signal ? null : signalRecord(without, record.origin).value;
      }),
    forgetting(value) {
      const record = readable(value, decodeSignalRecord);
      if (record?.kind !== 'forget' || !going.forgetting(record)) return null;
      return forgetRecord({ websiteId: record.websiteId, address: '' }, record.origin).value;
    },
    alert: (value) =>
      changed(value, decodeAlert, (alert) => {
        if (!going.alert(alert)) return null;
        const without = withoutTexts(alert);
        return without === alert ? null : alertRecord(without).value;
      }),
  };
}

/** A record that can't be read is emptied: it may hold the subject. */
function changed<Read>(
  value: Buffer,
  decode: (value: Buffer) => Read,
  change: (read: Read) => Buffer | null,
): Buffer | null {
  const read = readable(value, decode);
  if (read === null) return value.length > 1 ? Buffer.of(0) : null;
  return change(read);
}

function readable<Read>(value: Buffer, decode: (value: Buffer) => Read): Read | null {
  try {
    return decode(value);
  } catch {
    return null;
  }
}
