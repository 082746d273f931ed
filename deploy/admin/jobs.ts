import { Argument, type Command } from 'commander';
import { CHECKS, type FetchKind, fetchKinds, type JobRequest } from '../../shared/jobs/job-request.js';
import type { Session } from './instance/session.js';

/** What the jobs service does by itself each day, now: `fetch`, `checks run`, `insights write`. */
export function addJobs(program: Command, session: Session): void {
  program
    .command('fetch')
    .description('has the jobs service read a website’s robots.txt or sitemaps now')
    .addArgument(new Argument('<what>').choices(fetchKinds))
    .requiredOption('--website <website>', 'id')
    .action((kind: FetchKind, { website }: { website: string }) =>
      requestAndShow(session, { kind, websiteId: website }),
    );
  program
    .command('checks')
    .description('the nightly checks')
    .command('run')
    .description('has the jobs service check a website now')
    .requiredOption('--website <website>', 'id')
    .action(({ website }: { website: string }) =>
      requestAndShow(session, { kind: CHECKS, websiteId: website }),
    );
  program
    .command('insights')
    .description('texts of a language model about a website')
    .command('write')
    .description(
      'has the jobs service write an insight now, where INSIGHTS_URL is set; it replaces one of the same day',
    )
    .requiredOption('--website <website>', 'id')
    .option('--page <path>', 'a page of the website; / is the website as a whole', '/')
    .option(
      '--filters <json>',
      'what it is narrowed to: hours and the filters of the reads, as {"countries":"DE"}',
      '{}',
    )
    .action(async ({ website: websiteId, page, filters }: Record<'website' | 'page' | 'filters', string>) =>
      session.show(await session.answer('/insights', { websiteId, page, filters })),
    );
}

/** Has a job run, and shows where the request is in the log. */
export async function requestAndShow(
  { answer, show }: Session,
  request: Pick<JobRequest, 'kind' | 'websiteId'>,
): Promise<void> {
  show(await answer('/jobs', request));
}
