import { z } from 'zod';
import { commandKind, refuse } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import type { User } from '../domain/model.js';
import { unknownOrganisation } from './organisation.js';
import { claim, emailName, isClaimed } from './unique-name.js';

export const userAdded = eventKind({
  aggregate: 'user',
  type: 'user.added',
  schema: z.object({ organisationId: z.string(), email: z.string() }),
  evolve(state, id, data, at) {
    state.users.put({ id, ...data, createdAt: at });
  },
});

/** An address belongs to one user of one organisation: a trial is granted once per user account (spec §8). */
export const addUser = commandKind({
  schema: z.strictObject({
    organisationId: z.string(),
    email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
  }),
  decide(state, { organisationId, email }, { generated }) {
    if (state.organisations.get(organisationId) === undefined) return unknownOrganisation(organisationId);
    if (isClaimed(state, emailName(email)))
      return refuse('conflict', `email: "${email}" already belongs to a user`);
    const id = `usr_${generated.id}`;
    return {
      events: [
        nextEvent(state, userAdded, id, { organisationId, email }),
        claim(state, emailName(email), id),
      ],
      answer: (after): User => after.users.get(id)!,
    };
  },
});
