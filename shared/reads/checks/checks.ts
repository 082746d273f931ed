import { z } from '@hono/zod-openapi';
import { standaloneAnswer } from '../answer/answer.js';
import { count } from '../answer/figures.js';
import { instant, moment, toInstant } from '../answer/instant.js';
import { readChecks, type StoredCheck } from './check-verdicts.js';
import { outcomes, type Verdict, verdicts } from './verdict.js';

/** The last evaluation of the nightly checks (spec §2.8, §4.9). */

export const verdict = z.enum(verdicts).openapi({
  description:
    'unknown: it could not be evaluated in that run; this is not a pass. not_applicable: the website has nothing that the check applies to.',
});

const evidence = z
  .looseObject({
    note: z.string().openapi({ description: 'The finding and its importance, in words.' }),
    outcome: z.enum(outcomes).optional().openapi({
      description:
        'The result of the requests of the check. blocked: the website rejected Loglane (401, 403, 429), which does not prove that it rejects search crawlers. unconfirmed: the answer does not decide. A warn with ok and advisories is advice on delivery: nothing failed.',
    }),
    requested_url: z.string().optional(),
    final_url: z.string().nullable().optional(),
    redirects: z
      .array(z.object({ url: z.string(), status: z.int() }))
      .optional()
      .openapi({ description: 'The URLs that redirected, in order, each with its status.' }),
    status: z.int().nullable().optional().openapi({ description: 'null: no answer.' }),
    advisories: z.array(z.string()).optional().openapi({ description: 'Suggested improvements.' }),
    not_reached: z.string().optional().openapi({
      description:
        'Why Loglane could not fetch from the website; present if the verdict is unknown for that reason.',
    }),
    notes: z.array(z.string()).optional().openapi({ description: 'Further notes.' }),
  })
  .openapi({ description: 'Keys vary by check; later releases add keys.' });

const check = z
  .object({
    id: z.string().openapi({ description: 'Stable.', example: 'robots_allows_search' }),
    title: z.string().nullable(),
    category: z.string().nullable().openapi({ example: 'crawling' }),
    verdict,
    weight: z.int().openapi({ description: '1 to 10, by the impact on visibility in search.' }),
    evidence,
    updated_at: moment('Time of the evaluation.'),
    previous_verdict: verdict.nullable().openapi({
      description:
        'Verdict before the last change from one evaluated day to the next; null: it never changed.',
    }),
    flipped_at: moment('Time of that change; null: it never changed.'),
  })
  .openapi('SiteCheck');

const occurring = count('Checks with this verdict.').optional();

const summary = z
  .object({
    fail: occurring,
    warn: occurring,
    unknown: occurring,
    pass: occurring,
    not_applicable: occurring,
  })
  .openapi({ description: 'Checks by verdict; verdicts without checks are absent.' });

export const checks = standaloneAnswer({
  schema: z.object({
    checks: z.array(check).openapi({
      description: 'fail, warn, unknown, pass, not_applicable; then by weight, the heaviest first.',
    }),
    summary,
    not_reached: z
      .object({
        checks: count('Checks that are unknown for this reason; `summary.unknown` includes them.'),
        reason: z.string().openapi({
          description: 'The reason, in words.',
          example: 'This installation fetches nothing from websites.',
        }),
      })
      .nullable()
      .openapi({
        description:
          'Loglane could not fetch from the website in the last evaluation, for example on a closed network: show one line instead of these checks. null: it could.',
      }),
    evaluated: z.boolean().openapi({ description: 'false: never evaluated. This does not count as passed.' }),
    evaluated_at: instant.nullable().openapi({ description: 'Time of the last evaluation; null: never.' }),
  }),
  async read(reader, { websiteId }) {
    const stored = (await readChecks(reader, websiteId)).sort(byUrgency);
    return {
      checks: stored.map(toCheck),
      summary: countByVerdict(stored),
      not_reached: notReached(stored),
      evaluated: stored.length > 0,
      evaluated_at: stored[0] === undefined ? null : toInstant(stored[0].evaluatedAt),
    };
  },
});

const rankOf = ({ verdict: one }: StoredCheck) => verdicts.indexOf(one);

function byUrgency(one: StoredCheck, other: StoredCheck): number {
  return rankOf(one) - rankOf(other) || other.weight - one.weight || (one.checkId < other.checkId ? -1 : 1);
}

function notReached(stored: readonly StoredCheck[]) {
  const reasons = stored.flatMap(({ evidence: { not_reached } }) => not_reached ?? []);
  return reasons[0] === undefined ? null : { checks: reasons.length, reason: reasons[0] };
}

function toCheck(stored: StoredCheck): z.input<typeof check> {
  return {
    id: stored.checkId,
    title: stored.title,
    category: stored.category,
    verdict: stored.verdict,
    weight: stored.weight,
    evidence: stored.evidence as z.input<typeof evidence>,
    updated_at: toInstant(stored.evaluatedAt),
    previous_verdict: stored.flip?.from ?? null,
    flipped_at: stored.flip === null ? null : toInstant(stored.flip.at),
  };
}

function countByVerdict(stored: readonly StoredCheck[]): Partial<Record<Verdict, number>> {
  const counts = verdicts.map((one) => [one, stored.filter((each) => each.verdict === one).length] as const);
  return Object.fromEntries(counts.filter(([, found]) => found > 0));
}
