import { Argument, type Command } from 'commander';
import { CHECKS, type FetchKind, fetchKinds, type JobRequest } from '../../shared/jobs/job-request.js';
import type { CommandContext } from './instance/command-context.js';

/** `fetch`, `checks run` and `insights write` start a daily job of the jobs service now. */
export function addJobs(program: Command, context: CommandContext): void {
  program
    .command('fetch')
    .description('makes the jobs service fetch the robots.txt or the sitemaps of a website now')
    .addArgument(new Argument('<what>').choices(fetchKinds))
    .requiredOption('--website <website>', 'id')
    .action((kind: FetchKind, { website }: { website: string }) =>
      requestAndShow(context, { kind, websiteId: website }),
    );
  program
    .command('checks')
    .description('runs the nightly checks')
    .command('run')
    .description('makes the jobs service check a website now')
    .requiredOption('--website <website>', 'id')
    .action(({ website }: { website: string }) =>
      requestAndShow(context, { kind: CHECKS, websiteId: website }),
    );
  program
    .command('insights')
    .description('writes insights: texts of a language model about a website')
    .command('write')
    .description(
      'makes the jobs service write an insight now. It replaces the insight of the same day and needs INSIGHTS_URL',
    )
    .requiredOption('--website <website>', 'id')
    .option('--page <path>', 'a page of the website; / is the whole website', '/')
    .option('--filters <json>', 'hours and filters of the API, such as {"countries":"DE"}', '{}')
    .action(async ({ website: websiteId, page, filters }: Record<'website' | 'page' | 'filters', string>) =>
      context.show(await context.answer('/insights', { websiteId, page, filters })),
    );
}

/** Requests a job, and shows the position of the request in the log. */
export async function requestAndShow(
  { answer, show }: CommandContext,
  request: Pick<JobRequest, 'kind' | 'websiteId'>,
): Promise<void> {
  show(await answer('/jobs', request));
}
