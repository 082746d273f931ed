import type { ControlEvent, Decision } from '../../../shared/control/domain/event.js';
import { mapPersonalFields } from '../../../shared/personal-data/personal-fields.js';
import type { ErasureScope } from './erasure-scope.js';

/**
 * Decisions without what they say of a subject, for logs whose records can be rewritten. Ids and versions stay, so that the
 * fold makes of the log what it made before; ids that are texts themselves (names that were claimed) get
 * others, each the same everywhere.
 */
export interface DecisionEraser {
  /** The decision without it; null where it says nothing of the subject. */
  erase(decision: Decision): Decision | null;
  /** What bore names was erased here: the next that bears one of them gets another id. */
  freeNames(): void;
}

/** What goes of an event: its personal fields, or all that it left in any table. */
type Going = 'texts' | 'all' | null;

/** @param newId never the same text twice. */
function createDecisionEraser(
  concerns: (event: ControlEvent, decision: Decision) => Going,
  namesIt: (aggregateId: string) => boolean,
  newId: () => string,
): DecisionEraser {
  const ids = new Map<string, string>();

  /** What got another id before keeps it. */
  const names = (id: string) => !id.includes('/erased:') && namesIt(id);

  function idOf(aggregateId: string): string {
    const known = ids.get(aggregateId);
    if (known !== undefined) return known;
    // What stands before the last stroke says of what kind it is and whose.
    const [owner = ''] = aggregateId.split('/', 1);
    const made = `${owner}/erased:${newId()}`;
    ids.set(aggregateId, made);
    return made;
  }

  /** What an erasure frees stands in its event (aggregates/erasure.ts). */
  function withClaims(data: unknown): unknown {
    const { claims } = (data ?? {}) as { claims?: unknown };
    if (!Array.isArray(claims)) return data;
    return { ...(data as object), claims: claims.map((id) => (names(id) ? idOf(id) : id)) };
  }

  return {
    erase(decision) {
      let changed = false;
      const events = decision.events.map((event) => {
        const named = names(event.aggregateId);
        const going = concerns(event, decision);
        if (!named && going === null) return event;
        const data = mapPersonalFields(event.type, event.data, (value, placeholder) =>
          value === null ? null : placeholder,
        );
        const aggregateId = named ? idOf(event.aggregateId) : event.aggregateId;
        const erased = marked(event, withClaims(data), going);
        changed ||= named || JSON.stringify(erased) !== JSON.stringify(event.data);
        return { ...event, aggregateId, data: erased };
      });
      return changed ? { ...decision, events } : null;
    },
    freeNames: () => ids.clear(),
  };
}

/** Entries of timelines are stored from the log anew: the record says which of them are gone (projections/site-events.ts). */
function marked({ type }: ControlEvent, data: unknown, going: Going): unknown {
  return going === 'all' && type === 'site_event.recorded' ? { ...(data as object), erased: true } : data;
}

const ends = ['organisation.erased', 'website.erased', 'user.erased'];

/**
 * Of organisations, websites and users. A name that was claimed is another's when its first bearer was erased: from there on
 * it is left alone.
 */
export function scopeEraser(
  subjectId: string,
  { organisations, websites, users, tenants, apiKeys, emails, names, keyNames }: ErasureScope,
  newId: () => string,
): DecisionEraser {
  let over = false;
  const has = (set: ReadonlySet<string>, value: unknown) => typeof value === 'string' && set.has(value);
  const inner = createDecisionEraser(
    ({ type, aggregateId, data }, { by }) => {
      const fields = (data ?? {}) as Readonly<Record<string, unknown>>;
      if (has(organisations, fields.organisationId) || has(websites, fields.websiteId)) return 'all';
      const concerned =
        [organisations, websites, users, apiKeys].some((set) => set.has(aggregateId)) ||
        has(users, fields.userId) ||
        (!over && has(emails, fields.email)) ||
        (type === 'site_event.recorded' &&
          has(tenants, fields.organisationId) &&
          has(keyNames, fields.createdBy)) ||
        (type === 'idempotency_key.answered' && by.startsWith('api_key:') && apiKeys.has(by.slice(8)));
      return concerned ? 'texts' : null;
    },
    (id) => (!over && names.has(id)) || (id.includes('/') && websites.has(id.split('/', 1)[0]!)),
    newId,
  );
  return {
    erase(decision) {
      const erased = inner.erase(decision);
      const end = decision.events.find(({ type }) => ends.includes(type));
      if (end !== undefined) inner.freeNames();
      over ||= end?.aggregateId === subjectId;
      return erased;
    },
    freeNames: inner.freeNames,
  };
}

const NAMING_ADDRESSES: ReadonlySet<string> = new Set([
  'recommendation.resolved',
  'recommendation.reopened',
  'site_event.recorded',
]);

/** Of an address: marks on it, and entries of timelines that name it. */
export function addressEraser(
  pattern: RegExp,
  websiteId: string | null,
  newId: () => string,
): DecisionEraser {
  const ofWebsite = (id: unknown) => websiteId === null || id === websiteId;
  return createDecisionEraser(
    ({ type, data }) => {
      const fields = (data ?? {}) as Readonly<Record<string, unknown>>;
      const named =
        NAMING_ADDRESSES.has(type) && ofWebsite(fields.websiteId) && pattern.test(JSON.stringify(data));
      return named ? 'all' : null;
    },
    () => false,
    newId,
  );
}
