import type { Command } from 'commander';
import type { Instance } from './instance.js';
import { type Row, renderJson, renderTable } from './render.js';

interface InsightsSession {
  readonly instance: Instance;
  readonly print: (text: string) => void;
}

interface Wanted {
  readonly website: string;
  readonly page: string;
  readonly filters: string;
}

/** `insights write`: what is written each night of whole websites, now and of what the operator names. */
export function addInsights(program: Command, { instance, print }: InsightsSession): void {
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
    .action(async ({ website: websiteId, page, filters }: Wanted) => {
      const { answer } = (await instance.post('/insights', { websiteId, page, filters })) as { answer: Row };
      print(program.opts().json === true ? renderJson(answer) : renderTable([answer]));
    });
}
