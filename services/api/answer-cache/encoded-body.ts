import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Bytes of an answer or a static file, also compressed. Each compressed form is made once, on the first request for it. */

export type Encoding = 'br' | 'gzip';

export interface EncodedBody {
  readonly plain: Buffer;
  /** Identifies the text: equal texts have equal tags in every process. */
  readonly tag: string;
  /** Never rejects because of the caller: the text is the API's own. */
  as(encoding: Encoding | null): Promise<Buffer> | Buffer;
}

/** Compression of shorter texts saves less than a packet. */
const WORTH_COMPRESSING_BYTES = 1_024;
const TAG_CHARACTERS = 22;

const compressors: Readonly<Record<Encoding, (plain: Buffer) => Promise<Buffer>>> = {
  gzip: (plain) => promisify(gzip)(plain, { level: 6 }),
  // Level 2 of 11 takes half as long as gzip, and its output is about as small.
  br: (plain) =>
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 2,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
};

export function encodedBody(text: string): EncodedBody {
  // Not a slice of Node's buffer pool: a cached slice would keep the whole pool in memory.
  const plain = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  plain.write(text);
  return encodedBytes(plain);
}

/** @param made forms that the caller has already. */
export function encodedBytes(
  plain: Buffer,
  made: Readonly<Partial<Record<Encoding, Buffer | undefined>>> = {},
): EncodedBody {
  const forms = new Map<Encoding, Promise<Buffer> | Buffer>();
  if (made.br !== undefined) forms.set('br', made.br);
  if (made.gzip !== undefined) forms.set('gzip', made.gzip);
  let tag: string | undefined;
  return {
    plain,
    get tag() {
      tag ??= createHash('sha256').update(plain).digest('base64url').slice(0, TAG_CHARACTERS);
      return tag;
    },
    as(encoding) {
      if (encoding === null) return plain;
      const form = forms.get(encoding);
      if (form !== undefined) return form;
      const making = compressors[encoding](plain).then((bytes) => {
        forms.set(encoding, bytes);
        return bytes;
      });
      forms.set(encoding, making);
      return making;
    },
  };
}

/** Memory of the text with its compressed forms: JSON is compressed to less than a third. */
export function sizeOf({ plain }: EncodedBody): number {
  return Math.ceil(plain.length * (1 + 2 / 3));
}

/**
 * @returns the preferred encoding of the caller's Accept-Encoding, br before gzip; null: uncompressed.
 * @param accepted the header as sent.
 */
export function chooseEncoding(accepted: string | undefined, { plain }: EncodedBody): Encoding | null {
  if (accepted === undefined || plain.length < WORTH_COMPRESSING_BYTES) return null;
  let best: Encoding | null = null;
  let bestWeight = 0;
  let any = 0;
  const encodings = new Set<string>();
  for (const part of accepted.slice(0, LONGEST_ACCEPT).split(',')) {
    const [name = '', ...parameters] = part.split(';');
    const coding = name.trim().toLowerCase();
    const weight = weightOf(parameters);
    encodings.add(coding);
    if (coding === '*') any = weight;
    if (coding !== 'br' && coding !== 'gzip') continue;
    if (weight > bestWeight || (weight === bestWeight && weight > 0 && coding === 'br')) {
      best = coding;
      bestWeight = weight;
    }
  }
  if (best !== null || any === 0) return best;
  return (['br', 'gzip'] as const).find((coding) => !encodings.has(coding)) ?? null;
}

/** Longer headers are not from real clients. */
const LONGEST_ACCEPT = 500;

function weightOf(parameters: readonly string[]): number {
  const q = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('q='));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return Number.isNaN(weight) ? 0 : Math.max(weight, 0);
}

/** A strong validator. The encodings of a text have different bytes, so they have different tags. */
export function entityTag({ tag }: EncodedBody, encoding: Encoding | null): string {
  return encoding === null ? `"${tag}"` : `"${tag}-${encoding}"`;
}

/** @returns whether If-None-Match contains the tag. Weak comparison as in RFC 9110 (13.1.2): a proxy may have weakened the tag. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag) return true;
  return ifNoneMatch.split(',').some((part) => {
    const one = part.trim();
    return one === '*' || one === tag || one === `W/${tag}`;
  });
}
