import { defineCheck, pass, unknown, warn } from '../facts/check.js';
import { rulingOf, tooManyRules } from './robots-rules.js';

/** Crawlers that feed the answers of AI assistants, with a link to the page; from the operators' own pages, November 2026. */
const ANSWERING = ['OAI-SearchBot', 'Claude-SearchBot', 'PerplexityBot', 'Amazonbot', 'DuckAssistBot'];
/** Crawlers that collect training data for models. */
const TRAINING = [
  'GPTBot',
  'ClaudeBot',
  'CCBot',
  'Google-Extended',
  'Applebot-Extended',
  'meta-externalagent',
  'Bytespider',
];

export const robotsAiCrawlers = defineCheck({
  id: 'robots_ai_crawlers',
  title: 'robots.txt allows AI assistants',
  category: 'crawling',
  weight: 4,
  needs: ['robots'],
  judge({ robots: { content } }) {
    if (content === null) return unknown('The content of robots.txt is unknown.', { outcome: 'unconfirmed' });
    const ruling = rulingOf(content);
    const rulings = new Map(
      [...ANSWERING, ...TRAINING].map((token) => [token, ruling({ tokens: [token] }, '/').kind]),
    );
    if ([...rulings.values()].includes('given_up')) return tooManyRules();
    const isBarred = (token: string) => rulings.get(token) === 'disallowed';
    const answering = ANSWERING.filter(isBarred);
    const training = TRAINING.filter(isBarred);
    const seen = {
      outcome: 'ok',
      disallowed_for_answers: answering,
      disallowed_for_training: training,
    } as const;
    const notes =
      training.length === 0
        ? []
        : [`For training models, ${training.join(', ')} may not fetch the home page.`];
    if (answering.length > 0)
      return warn(
        `robots.txt keeps ${answering.join(', ')} from the home page, so AI assistants do not name the website in their answers. If you intend this, nothing needs to change.`,
        { ...seen, notes },
      );
    return pass('The crawlers that feed the answers of AI assistants may fetch the home page.', {
      ...seen,
      notes,
    });
  },
});
