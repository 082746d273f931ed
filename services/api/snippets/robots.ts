import { type SnippetTarget, unable } from './target.js';

export const robots: SnippetTarget = {
  name: 'robots',
  blockIps: () =>
    unable(
      'robots.txt',
      'robots.txt knows no addresses, and who attacks does not read it. Choose the target of the CDN or web server.',
    ),
  blockBots: () =>
    unable(
      'robots.txt',
      'robots.txt can not keep out an impostor: who only pretends to be a crawler does not heed it, and the real one of that name would stay away. Choose the target of the CDN or web server.',
    ),
  gone: () =>
    unable(
      'robots.txt',
      'robots.txt can not say that a page is gone. To disallow it would keep crawlers from ever learning that, and the address would stay in the index. Answer 410 by the target of the CDN or web server.',
    ),
};
