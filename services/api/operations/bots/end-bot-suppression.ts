import { websiteWrite } from '../../operation/operation.js';
import { botPath, suppression, TAG } from './suppression.js';

export const endBotSuppression = websiteWrite('delete', {
  id: 'endBotSuppression',
  tag: TAG,
  path: '/bots/{bot_name}/suppress',
  summary: "Resume a bot's SEO-error alerts",
  description:
    'Changes nothing if the bot is not suppressed. Write the name of a bot that only the logs know as the answer to its suppression shows it.',
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
