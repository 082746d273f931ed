import type { Alert } from '../../../shared/alerts/alert.js';
import { alertRecord, decodeAlert } from '../../../shared/alerts/alert-codec.js';
import {
  decodeStoredRecord,
  type ForgetAddress,
  forgetRecord,
} from '../../../shared/detection/arrival-codec.js';
import { alertNames, withoutTexts } from '../../../shared/personal-data/erase-alert.js';
import { textsNaming } from '../../../shared/personal-data/naming-address.js';

/** Takes a subject out of records to and from the detector. Records stay where they are, with less in them. */
export interface DetectionEraser {
  /** @param value of `requests.stored`. @returns an order to forget the subject, without its name; null: the record does not name it. */
  forgetting(value: Buffer): Buffer | null;
  /** A value of `alerts`. */
  alert(value: Buffer): Buffer | null;
}

/** All that was found on the websites. */
export function websiteDetection(websites: ReadonlySet<string>): DetectionEraser {
  return createDetectionEraser({
    // An order has the id of its website and an address. The address goes when that address is erased.
    forgetting: () => false,
    alert: ({ websiteId }) => websites.has(websiteId),
  });
}

/** Orders to forget the address, and alerts that name it. @param websiteId null: of all websites. */
export function addressDetection(address: string, websiteId: string | null): DetectionEraser {
  const names = textsNaming(address);
  const ofWebsite = (id: string) => websiteId === null || id === websiteId;
  return createDetectionEraser({
    forgetting: (order) => order.address === address && ofWebsite(order.websiteId),
    alert: (alert) => ofWebsite(alert.websiteId) && alertNames(alert, names),
  });
}

/** What goes of what can be read. */
interface Going {
  forgetting(order: ForgetAddress): boolean;
  alert(alert: Alert): boolean;
}

function createDetectionEraser(going: Going): DetectionEraser {
  return {
    forgetting: (value) =>
      changed(value, decodeStoredRecord, (record) =>
        record.kind === 'forget' && going.forgetting(record)
          ? forgetRecord({ websiteId: record.websiteId, address: '' }).value
          : null,
      ),
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
