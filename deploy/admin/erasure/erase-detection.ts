import type { Alert } from '../../../shared/alerts/alert.js';
import { alertRecord, decodeAlert } from '../../../shared/alerts/alert-codec.js';
import {
  decodeStoredRecord,
  type ForgetAddress,
  forgetRecord,
} from '../../../shared/detection/arrival-codec.js';
import { alertNames, withoutTexts } from '../../../shared/personal-data/erase-alert.js';
import { textsNaming } from '../../../shared/personal-data/naming-address.js';

/** Removes a subject from records to and from the detector. Records keep their offsets. */
export interface DetectionEraser {
  /** @param value of `requests.stored`. @returns an order to forget the subject, without its name; null: the record does not name it. */
  forgetting(value: Buffer): Buffer | null;
  /** @param value of `alerts`. @returns the value without the subject; null: the record does not name it. */
  alert(value: Buffer): Buffer | null;
}

/** Erases all alerts of the websites. */
export function websiteDetection(websites: ReadonlySet<string>): DetectionEraser {
  return createDetectionEraser({
    // An order has the id of its website and an address. The address goes when that address is erased.
    forgetting: () => false,
    alert: ({ websiteId }) => websites.has(websiteId),
  });
}

/** Erases the address from orders to forget it, and from alerts that name it. @param websiteId null: all websites. */
export function addressDetection(address: string, websiteId: string | null): DetectionEraser {
  const names = textsNaming(address);
  const ofWebsite = (id: string) => websiteId === null || id === websiteId;
  return createDetectionEraser({
    forgetting: (order) => order.address === address && ofWebsite(order.websiteId),
    alert: (alert) => ofWebsite(alert.websiteId) && alertNames(alert, names),
  });
}

/** Erases data from parsed records. */
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

/** Unreadable records are emptied, since they may contain the subject. */
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
