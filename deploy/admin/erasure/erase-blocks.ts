import { DAY_MS, SECOND_MS } from '../../../shared/durations.js';
import { ERASED } from '../../../shared/personal-data/personal-fields.js';
import { normaliseClientIp } from '../../../shared/reads/sql/client-ip.js';
import { decodeRawBlock, replaceRawBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import { decodeDeadEntry, encodeDeadEntry } from '../../../shared/requests/dead-record.js';
import type { RawBlock, RawRequest } from '../../../shared/requests/raw-request.js';
import type { ForgottenDays } from '../rows/forget-days.js';

/** Removes the requests of a subject from blocks. A block keeps its offset, with fewer requests or none. */
export interface BlockEraser {
  /** @param value of `requests.raw`. @returns null if the value contains nothing of the subject. */
  raw(value: Buffer, key: string): Buffer | null;
  /** @param value of `requests.dead`. @returns as `raw`. */
  dead(value: Buffer, key: string): Buffer | null;
}

/** @param goes whether to remove a request. @param inBytes whether bytes that are not a block contain data of the subject. */
function createBlockEraser(
  goes: (block: RawBlock, request: RawRequest) => boolean,
  inBytes: (bytes: Buffer, key: string) => boolean,
): BlockEraser {
  function raw(value: Buffer, key: string): Buffer | null {
    const block = readable(value);
    // No reader can parse the value: it is a dead record, or will become one. So nothing readable is lost.
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

/** Erases all requests of the websites. */
export function websiteBlocks(websites: ReadonlySet<string>): BlockEraser {
  return createBlockEraser(
    ({ website_id }) => websites.has(website_id),
    // A key is the website's id and a number (services/ingest/blocks/append-blocks.ts).
    (bytes, key) => bytes.length > 1 && websites.has(key.split('/', 1)[0]!),
  );
}

/** Erases the requests of an address. @param websiteId null: all websites. */
export function addressBlocks(address: string, websiteId: string | null): BlockEraser {
  const ofWebsite = (id: string | undefined) => websiteId === null || id === websiteId;
  return createBlockEraser(
    ({ website_id }, { client_ip }) => ofWebsite(website_id) && normaliseClientIp(client_ip) === address,
    (bytes, key) => ofWebsite(key.split('/', 1)[0]) && bytes.includes(address),
  );
}

/** Erases the requests of days of a website received until `receivedBy`. Blocks of other websites are skipped by their key. */
export function dayBlocks({ websiteId, from, to, source, receivedBy }: ForgottenDays): BlockEraser {
  const start = Date.parse(from);
  const end = Date.parse(to) + DAY_MS;
  // The store has whole seconds.
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
