import { websiteWrite } from '../../operation/operation.js';
import { botPath, suppression, TAG } from './suppression.js';

export const endBotSuppression = websiteWrite('delete', {
  id: 'endBotSuppression',
  tag: TAG,
  path: '/bots/{bot_name}/suppress',
  summary: "Let a bot's SEO-error alerts through again",
  description:
    'Changes nothing where the bot is not suppressed. A bot that only the logs know is named as the answer to its suppression named it.',
  pathParameters: botPath,
  body: null,
  answer: suppression,
  async run({ bot_name }, { website, services, write }) {
    const crawler = services.crawlerName(bot_name) ?? bot_name;
    const ended = await services.control.execute(
      { type: 'endBotSuppression', websiteId: website.id, crawler },
      write,
      `Suppression of ${crawler} ended`,
    );
    return { crawler: ended.crawler, suppressed: false, until: null };
  },
});
