import { type SnippetTarget, unable } from './target.js';

export const robots: SnippetTarget = {
  name: 'robots',
  blockIps: () =>
    unable(
      'robots.txt',
      'robots.txt has no rules for addresses, and attackers do not read it. Choose the target of the CDN or web server.',
    ),
  blockBots: () =>
    unable(
      'robots.txt',
      'robots.txt can not stop an impostor: impostors ignore it, and the real crawler with that name would stay away. Choose the target of the CDN or web server.',
    ),
  gone: () =>
    unable(
      'robots.txt',
      'robots.txt can not mark a page as gone. With a disallow rule, crawlers would never see the 410, and the address would stay in the index. Choose the target of the CDN or web server to answer 410.',
    ),
};
