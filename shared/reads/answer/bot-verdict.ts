import { z } from '@hono/zod-openapi';

/** Whether a request is from the bot that it claims to be. */
export const botVerdict = {
  bot_verified: z.boolean().nullable().openapi({
    description:
      'true: the claim is verified; false: the bot has a verification method, and the request failed it; null: no method, pending, or not a bot.',
  }),
  bot_verification_status: z
    .enum(['verified', 'spoofed', 'unverifiable', 'pending'])
    .nullable()
    .openapi({ description: 'null for requests that claim no bot.' }),
};

const statuses = botVerdict.bot_verification_status.unwrap();

const claimsNone = (verification: string) => verification === '' || verification === 'undeclared';

/** @param verification as resolved by shared/reads/sql/verification.ts; '' or undeclared if no bot is claimed. */
export function toBotVerdict(verification: string) {
  const status = claimsNone(verification) ? null : statuses.parse(verification);
  return {
    bot_verified: status === 'verified' ? true : status === 'spoofed' ? false : null,
    bot_verification_status: status,
  };
}
