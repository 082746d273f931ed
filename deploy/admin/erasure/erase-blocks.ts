import { DAY_MS, SECOND_MS } from '../../../shared/durations.js';
import { ERASED } from '../../../shared/personal-data/personal-fields.js';
import { normaliseClientIp } from '../../../shared/reads/sql/client-ip.js';
import { decodeRawBlock, replaceRawBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import { decodeDeadEntry, encodeDeadEntry } from '../../../shared/requests/dead-record.js';
import type { RawBlock, RawRequest } from '../../../shared/requests/raw-request.js';
import type { ForgottenDays } from '../rows/forget-days.js';

/** Requests in the log without those of a subject. A block stays where it is, with fewer requests or none. */
export interface BlockEraser {
  /** A value of `requests.raw`; null: nothing of the subject is in it. */
  raw(value: Buffer, key: string): Buffer | null;
  /** A value of `requests.dead`. */
  dead(value: Buffer, key: string): Buffer | null;
}

/** @param goes whether a request is to go. @param inBytes whether bytes that are no block hold something of the subject. */
function createBlockEraser(
  goes: (block: RawBlock, request: RawRequest) => boolean,
  inBytes: (bytes: Buffer, key: string) => boolean,
): BlockEraser {
  function raw(value: Buffer, key: string): Buffer | null {
    const block = readable(value);
    // Nothing that a reader could make of it is lost: it is dead, or will be.
    if (block === null) return inBytes(value, key) ? Buffer.from([0]) : null;
    const requests = block.requests.filter((request) => !goes(block, request));
    return requests.length === block.requests.length ? null : replaceRawBlock(value, { ...block, requests });
  }

  return {
    raw,
    dead(value, key) {
      const entry = decodeDeadEntry(value);
      if (entry.kind !== 'dead') return null;
      const without = raw(entry.value, key);
      return without === null ? null : encodeDeadEntry({ ...entry, reason: ERASED, value: without });
    },
  };
}

/** Everything that was sent for the websites. */
export function websiteBlocks(websites: ReadonlySet<string>): BlockEraser {
  return createBlockEraser(
    ({ website_id }) => websites.has(website_id),
    // Keys are the website's id and a number (services/ingest/blocks/append-blocks.ts).
    (bytes, key) => bytes.length > 1 && websites.has(key.split('/', 1)[0]!),
  );
}

/** What an address has asked for. @param websiteId null: of all websites. */
export function addressBlocks(address: string, websiteId: string | null): BlockEraser {
  const ofWebsite = (id: string | undefined) => websiteId === null || id === websiteId;
  return createBlockEraser(
    ({ website_id }, { client_ip }) => ofWebsite(website_id) && normaliseClientIp(client_ip) === address,
    (bytes, key) => ofWebsite(key.split('/', 1)[0]) && bytes.includes(address),
  );
}

/** What was sent for days of a website, and received by then. Blocks of other websites are told by their key and not read. */
export function dayBlocks({ websiteId, from, to, source, receivedBy }: ForgottenDays): BlockEraser {
  const start = Date.parse(from);
  const end = Date.parse(to) + DAY_MS;
  // As the store has it, in whole seconds.
  const isPast = (receivedAt: number) =>
    Math.floor(receivedAt / SECOND_MS) <= Math.floor(receivedBy / SECOND_MS);
  const eraser = createBlockEraser(
    (block, { timestamp }) =>
      timestamp >= start &&
      timestamp < end &&
      isPast(block.received_at) &&
      (source === null || block.source === source),
    () => false,
  );
  const ofWebsite = (key: string) => key.split('/', 1)[0] === websiteId;
  return {
    raw: (value, key) => (ofWebsite(key) ? eraser.raw(value, key) : null),
    dead: (value, key) => (ofWebsite(key) ? eraser.dead(value, key) : null),
  };
}

function readable(value: Buffer): RawBlock | null {
  try {
    return decodeRawBlock(value);
  } catch {
    return null;
  }
}
