import type { ControlEvent, Decision } from '../../../shared/control/domain/event.js';
import { mapPersonalFields } from '../../../shared/personal-data/personal-fields.js';
import type { ErasureScope } from './erasure-scope.js';

/**
 * Removes the data of a subject from decisions, for logs whose records can be rewritten. Ids and versions stay, so
 * the fold returns the same state as before. Ids that contain texts (claimed names) are replaced, each by the same
 * new id everywhere.
 */
export interface DecisionEraser {
  /** @returns the decision without the data; null if the decision contains no data of the subject. */
  erase(decision: Decision): Decision | null;
  /** The owner of claimed names was erased at this point: the next claim of such a name gets another id. */
  freeNames(): void;
}

/** The erased part of an event: its personal fields, or all its rows in all tables. */
type Going = 'texts' | 'all' | null;

/** @param newId returns a different text at each call. */
function createDecisionEraser(
  concerns: (event: ControlEvent, decision: Decision) => Going,
  namesIt: (aggregateId: string) => boolean,
  newId: () => string,
): DecisionEraser {
  const ids = new Map<string, string>();

  /** Ids that were replaced before stay. */
  const names = (id: string) => !id.includes('/erased:') && namesIt(id);

  function idOf(aggregateId: string): string {
    const known = ids.get(aggregateId);
    if (known !== undefined) return known;
    // The part before the last slash is the kind and the owner.
    const [owner = ''] = aggregateId.split('/', 1);
    const made = `${owner}/erased:${newId()}`;
    ids.set(aggregateId, made);
    return made;
  }

  /** The event of an erasure lists the claims that it frees (aggregates/erasure.ts). */
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

/** A projection stores timeline entries from the log again, so the record marks the erased ones (projections/site-events.ts). */
function marked({ type }: ControlEvent, data: unknown, going: Going): unknown {
  return going === 'all' && type === 'site_event.recorded' ? { ...(data as object), erased: true } : data;
}

const ends = ['organisation.erased', 'website.erased', 'user.erased'];

/**
 * Erases organisations, websites and users. After the erasure of its first owner, a claimed name may belong to another
 * aggregate. From that point on, the name is not changed.
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

/** Erases an address: its marks, and timeline entries that name it. */
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
