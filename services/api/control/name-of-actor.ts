import type { StoredApiKey } from '../../../shared/control/domain/model.js';
import type { ControlState } from '../../../shared/control/domain/state.js';

/** Names of those who change something, for people. */

type Key = Pick<StoredApiKey, 'kind' | 'name' | 'last4' | 'userId'>;

/** Name of a key, with its last characters because names may repeat. */
export function nameOfKey({ name, last4 }: Pick<Key, 'name' | 'last4'>): string {
  return `${name} (…${last4})`;
}

/** The user of a session of the console; null: the sign-in link named none, or it is no session. */
function userOf({ users }: Pick<ControlState, 'users'>, { kind, userId }: Key): string | null {
  return kind !== 'session' || userId === null ? null : (users.get(userId)?.email ?? null);
}

/** A sentence for the timeline. */
export function doneBy(state: Pick<ControlState, 'users'>, key: Key): string {
  if (key.kind !== 'session') return `Done through the API with the key ${nameOfKey(key)}.`;
  const user = userOf(state, key);
  return user === null ? 'Done in the console.' : `Done in the console by ${user}.`;
}

/** Names of actors (shared/control/domain/event.ts); null: it was erased. */
export function namesIn(state: ControlState): (actor: string) => string | null {
  return (actor) => {
    const id = actor.slice(actor.indexOf(':') + 1);
    if (actor.startsWith('user:')) return state.users.get(id)?.email ?? null;
    const key = state.apiKeys.get(id);
    if (key !== undefined) return userOf(state, key) ?? nameOfKey(key);
    return actor === 'admin' ? 'the operator' : null;
  };
}
