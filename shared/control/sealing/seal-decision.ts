import { kindsWithPersonalFields, mapPersonalFields } from '../../personal-data/personal-fields.js';
import type { ControlEvent, Decision } from '../domain/event.js';
import { decodeDecision } from '../domain/event-codec.js';
import type { ControlState } from '../domain/state.js';
import type { KeyRing } from './key-ring.js';
import { openSealedText, sealText } from './sealed-text.js';

/**
 * Seals personal fields of a decision with a key of their organisation (AES-256-GCM, bound to the event's kind and id).
 * The sealed values are an additional field of the event's data, and the fields themselves have placeholders. A reader
 * without the key reads an event of the usual form. Ids and versions are never sealed: the fold must not depend on
 * available keys.
 */

/** By path, as sealed in JSON. */
type Values = Record<string, unknown[]>;

/** @throws LogUnavailableError if a key cannot be made durable. */
export async function sealDecision(
  decision: Decision,
  state: ControlState,
  { ring, randomBytes }: { readonly ring: KeyRing; readonly randomBytes: (count: number) => Buffer },
): Promise<Decision> {
  const events: ControlEvent[] = [];
  for (const event of decision.events) {
    const organisationId = kindsWithPersonalFields.includes(event.type) ? organisationOf(event, state) : null;
    if (organisationId === null) {
      events.push(event);
      continue;
    }
    const values = new Map<string, unknown[]>();
    const data = mapPersonalFields(event.type, event.data, (value, placeholder, path) => {
      values.set(path, [...(values.get(path) ?? []), value]);
      return placeholder;
    });
    const key = await ring.keyOf(organisationId);
    const text = JSON.stringify(Object.fromEntries(values));
    const sealed = sealText(text, { key, randomBytes, context: contextOf(event) });
    events.push({ ...event, data: { ...(data as object), sealed } });
  }
  return { ...decision, events };
}

/**
 * The decision of a record, with the fields that can be opened.
 * @param ring absent: nothing is opened. @throws Error for an unreadable record.
 */
export async function readDecision(value: Buffer, ring: KeyRing | undefined): Promise<Decision> {
  const written = decodeDecision(value);
  return ring === undefined || !value.includes('"sealed":"1:') ? written : openDecision(written, ring);
}

/** The original decision; with placeholders if the key is deleted. */
export async function openDecision(decision: Decision, ring: KeyRing): Promise<Decision> {
  const events: ControlEvent[] = [];
  for (const event of decision.events) {
    const { sealed, ...data } = (event.data ?? {}) as Readonly<Record<string, unknown>>;
    const values = typeof sealed === 'string' ? await openValues(sealed, ring, event) : null;
    events.push(values === null ? event : { ...event, data: withValues(event.type, data, values) });
  }
  return { ...decision, events };
}

function withValues(type: string, data: unknown, values: Values): unknown {
  const left = new Map(Object.entries(values).map(([path, list]) => [path, [...list]]));
  return mapPersonalFields(type, data, (value, _placeholder, path) => {
    const list = left.get(path);
    return list === undefined || list.length === 0 ? value : list.shift();
  });
}

async function openValues(text: string, ring: KeyRing, event: ControlEvent): Promise<Values | null> {
  const opened = await openSealedText(text, ring, contextOf(event));
  return opened === null ? null : (JSON.parse(opened) as Values);
}

function contextOf({ type, aggregateId }: ControlEvent): string {
  return `${type} ${aggregateId}`;
}

/** null: no organisation, or an unknown one. */
function organisationOf({ aggregate, aggregateId, data }: ControlEvent, state: ControlState): string | null {
  const { organisationId, websiteId } = (data ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof organisationId === 'string') return organisationId;
  if (aggregate === 'organisation') return aggregateId;
  const website = aggregate === 'segment_list' ? aggregateId : websiteId;
  return typeof website === 'string' ? (state.websites.get(website)?.organisationId ?? null) : null;
}
