import { z } from '@hono/zod-openapi';

/** Whether a request is of the bot that it claims to be. */
export const botVerdict = {
  bot_verified: z.boolean().nullable().openapi({
    description:
      'true: the bot is who it says; false: it has a verification method and failed it; null: no method, not answered yet, or not a bot.',
  }),
  bot_verification_status: z
    .enum(['verified', 'spoofed', 'unverifiable', 'pending'])
    .nullable()
    .openapi({ description: 'null for requests that claim no bot.' }),
};

const statuses = botVerdict.bot_verification_status.unwrap();

const claimsNone = (verification: string) => verification === '' || verification === 'undeclared';

/** @param verification as resolved by shared/reads/sql/verification.ts; '' or undeclared where no bot is claimed. */
export function toBotVerdict(verification: string) {
  const status = claimsNone(verification) ? null : statuses.parse(verification);
  return {
    bot_verified: status === 'verified' ? true : status === 'spoofed' ? false : null,
    bot_verification_status: status,
  };
}
