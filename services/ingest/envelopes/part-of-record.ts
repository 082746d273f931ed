import { head } from '../../../shared/text-head.js';
import { words } from '../sources/util/cut-text.js';
import { readRecord } from '../sources/util/read-record.js';
import type { JsonRecord } from '../sources/util/source.js';
import { readContainerLine } from './container-runtime.js';
import type { Part } from './envelope.js';

/**
 * Marks of parts: Docker's drivers for journald (`CONTAINER_PARTIAL_…`) and Fluentd (`partial_…`), the CRI parsers of Fluent Bit and Fluentd
 * (`logtag` or `_p`, `P` or `F`), and Vector (`_partial`).
 */
const partial = words('CONTAINER_PARTIAL_MESSAGE container_partial_message partial_message _partial');
const last = words('CONTAINER_PARTIAL_LAST container_partial_last partial_last');
const ordinals = words('CONTAINER_PARTIAL_ORDINAL container_partial_ordinal partial_ordinal');
const ids = words('CONTAINER_PARTIAL_ID container_partial_id partial_id');
/** Names of the stream and the container, in the record and in the objects of Kubernetes and Docker. */
const streams = words(`
  stream source PRIORITY priority container_id CONTAINER_ID CONTAINER_ID_FULL container_name CONTAINER_NAME
  docker_id pod_id pod_name namespace_name _HOSTNAME file filepath tag`);
const LONGEST_WORD = 200;

/**
 * Reads a shipper's record as a part of a line.
 * @param text the line in it
 * @param isWaiting whether a record without a mark may be the last part of a line
 * @returns null for a whole line
 */
export function partOfRecord(record: JsonRecord, text: string, isWaiting: boolean): Part | null {
  const line = readContainerLine(text);
  const tag = record.logtag ?? record._p;
  const isPartial = line?.isMarked === true || tag === 'P' || isTrue(firstOf(record, partial));
  const id = firstOf(record, ids);
  const isMarked = isPartial || id !== '';
  const isFull = !isMarked && line === null && tag === undefined && fillsBuffer(record, text);
  if (!isMarked && !isFull && !isWaiting) return null;
  const isLast = isMarked ? !isPartial || isTrue(firstOf(record, last)) : !isFull;
  const key = id === '' ? streamOf(record) : id;
  const ordinal = Math.max(0, Math.trunc(Number(firstOf(record, ordinals))) || 0);
  return {
    key: line === null ? key : `${line.key} ${key}`,
    text: line?.text ?? text,
    isLast,
    ordinal,
    isMarked,
  };
}

const DOCKER_BUFFER = 16_384;
/** A cut may split a character of up to four bytes. Each of its bytes becomes a replacement character. */
const MOST_GROWTH = 12;

/** Docker's `json-file` cuts a line when its buffer is full, without a mark. Whole lines end in a line feed. */
function fillsBuffer(record: JsonRecord, text: string): boolean {
  if (record.log !== text || text.length < DOCKER_BUFFER / 4 || text.endsWith('\n')) return false;
  const bytes = Buffer.byteLength(text);
  return bytes >= DOCKER_BUFFER && bytes <= DOCKER_BUFFER + MOST_GROWTH;
}

function streamOf(record: JsonRecord): string {
  const parts = [record, readRecord(record.kubernetes), readRecord(record.docker)];
  return parts.flatMap((part) => streams.map((name) => firstOf(part, [name]))).join('\n');
}

/** The first of the names that the record has. */
function firstOf(record: JsonRecord, names: readonly string[]): string {
  for (const name of names) if (Object.hasOwn(record, name)) return textOf(record[name]);
  return '';
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return head(value, LONGEST_WORD);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

const isTrue = (text: string) => text === 'true' || text === '1';
