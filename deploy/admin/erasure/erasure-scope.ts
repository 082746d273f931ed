import { claimId, domainName, emailName } from '../../../shared/control/aggregates/unique-name.js';
import type { Decision } from '../../../shared/control/domain/event.js';
import type { KeyRing } from '../../../shared/control/sealing/key-ring.js';
import { readDecision } from '../../../shared/control/sealing/seal-decision.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import { readLog } from '../../../shared/event-log/follow-log.js';
import { ERASED } from '../../../shared/personal-data/personal-fields.js';
import type { ErasureSubject } from './subject.js';

/**
 * All ids that belong to a subject, from the whole control log. The state is not enough: a repeated erasure may find that
 * the state has already forgotten the subject.
 */
export interface ErasureScope {
  readonly organisations: ReadonlySet<string>;
  readonly websites: ReadonlySet<string>;
  readonly users: ReadonlySet<string>;
  /** Organisations of the users. */
  readonly tenants: ReadonlySet<string>;
  readonly apiKeys: ReadonlySet<string>;
  /** E-mail addresses of the users, from all records. */
  readonly emails: ReadonlySet<string>;
  /** Ids of their claimed names (aggregates/unique-name.ts). */
  readonly names: ReadonlySet<string>;
  /** Names of the API keys in timeline entries: `name (…last4)`. */
  readonly keyNames: ReadonlySet<string>;
}

type Ids = { [Field in keyof ErasureScope]: Set<string> };

/** @param subject with the id of a user, not the e-mail address. @param ring opens sealed records; present if the log is sealed. */
export async function findScope(
  log: EventLog,
  subject: Exclude<ErasureSubject, { kind: 'address' }>,
  ring?: KeyRing,
): Promise<ErasureScope> {
  const ids: Ids = {
    organisations: new Set(subject.kind === 'organisation' ? [subject.id] : []),
    websites: new Set(subject.kind === 'website' ? [subject.id] : []),
    users: new Set(subject.kind === 'user' ? [subject.id] : []),
    tenants: new Set(),
    apiKeys: new Set(),
    emails: new Set(),
    names: new Set(),
    keyNames: new Set(),
  };
  // Includes decisions that were rejected.
  await readLog(log, {
    topic: 'control.events',
    async onRecords(records) {
      for (const { value } of records)
        for (const event of (await readDecision(value, ring)).events) addOf(ids, event);
    },
  });
  return ids;
}

function addOf(ids: Ids, { type, aggregateId, data }: Decision['events'][number]): void {
  const fields = (data ?? {}) as Readonly<Record<string, unknown>>;
  const { organisationId, userId } = fields;
  const owned = typeof organisationId === 'string' && ids.organisations.has(organisationId);
  if (type === 'website.added' && (owned || ids.websites.has(aggregateId))) {
    ids.websites.add(aggregateId);
    if (fields.domain !== ERASED)
      ids.names.add(claimId(domainName(String(organisationId), String(fields.domain))));
  }
  if (type === 'user.added' && (owned || ids.users.has(aggregateId))) {
    ids.users.add(aggregateId);
    ids.tenants.add(String(organisationId));
    if (fields.email !== ERASED) {
      ids.emails.add(String(fields.email));
      ids.names.add(claimId(emailName(String(fields.email))));
    }
  }
  const ofUser = typeof userId === 'string' && ids.users.has(userId);
  if ((type === 'api_key.created' || type === 'api_key.connected') && (owned || ofUser)) {
    ids.apiKeys.add(aggregateId);
    // A user may name a key like the placeholder of an erased name. Only an erased key has no `last4`.
    if (fields.last4 !== '') ids.keyNames.add(`${fields.name} (…${fields.last4})`);
  }
}
