import type { ControlState } from '../../../shared/control/domain/state.js';
import type { ErasureSubject } from './subject.js';

/** Objects of a subject in the state. Empty for an address, and after an erasure. */
export interface ObjectsInState {
  /** Name of an organisation, domain of a website, or e-mail address of a user. */
  readonly name: string | null;
  readonly counts: ObjectCounts;
}

export interface ObjectCounts {
  readonly websites: number;
  readonly users: number;
  readonly apiKeys: number;
  readonly ingestKeys: number;
  readonly segments: number;
}

const nothing: ObjectCounts = { websites: 0, users: 0, apiKeys: 0, ingestKeys: 0, segments: 0 };

/** @param subject with the id of a user, not the e-mail address. */
export function objectsInState(subject: ErasureSubject, state: ControlState): ObjectsInState {
  switch (subject.kind) {
    case 'organisation': {
      const websites = state.websites.by('organisationId', subject.id);
      const users = state.users.by('organisationId', subject.id).length;
      const apiKeys = state.apiKeys.by('organisationId', subject.id).length;
      const name = state.organisations.get(subject.id)?.name ?? null;
      return { name, counts: { ...ofWebsites(websites, state), users, apiKeys } };
    }
    case 'website': {
      const website = state.websites.get(subject.id);
      const counts = ofWebsites(website === undefined ? [] : [website], state);
      return { name: website?.domain ?? null, counts };
    }
    case 'user': {
      const user = state.users.get(subject.id);
      if (user === undefined) return { name: null, counts: nothing };
      const keys = state.apiKeys.by('organisationId', user.organisationId);
      const apiKeys = keys.filter(({ userId }) => userId === subject.id).length;
      return { name: user.email, counts: { ...nothing, users: 1, apiKeys } };
    }
    case 'address':
      return { name: null, counts: nothing };
  }
}

function ofWebsites(websites: readonly { readonly id: string }[], state: ControlState): ObjectCounts {
  const sum = (count: (websiteId: string) => number) =>
    websites.reduce((total, { id }) => total + count(id), 0);
  return {
    ...nothing,
    websites: websites.length,
    ingestKeys: sum((id) => state.ingestKeys.by('websiteId', id).length),
    segments: sum((id) => state.segments.by('websiteId', id).length),
  };
}
