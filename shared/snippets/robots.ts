import { type SnippetTarget, unable } from './target.js';

/** A name that a group can be for (RFC 9309 §2.2.1); with digits, as some crawlers have them. */
const PRODUCT_TOKEN = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

export const robots: SnippetTarget = {
  name: 'robots',
  blockIps: () =>
    unable(
      'robots.txt',
      'robots.txt knows no addresses, and who attacks does not read it. Choose the target of the CDN or web server.',
    ),
  blockBots(impostors) {
    const named = impostors.filter(
      ({ name, realOneSeen, isSearchCrawler }) =>
        !isSearchCrawler && !realOneSeen && PRODUCT_TOKEN.test(name),
    );
    return {
      filename: 'robots.txt',
      count: named.length,
      text: named.map(({ name }) => `User-agent: ${name}\nDisallow: /\n`).join('\n'),
      notes: [
        'The nearest that robots.txt can do: it asks bots of these names to stay away, the real ones, too, and those who only pretend to be them will hardly heed it. To block these, choose the target of the CDN or web server.',
        'Left out are crawlers of search engines and names whose real crawler was seen in the window.',
      ],
    };
  },
  gone: () =>
    unable(
      'robots.txt',
      'robots.txt can not say that a page is gone. To disallow it would keep crawlers from ever learning that, and the address would stay in the index. Answer 410 by the target of the CDN or web server.',
    ),
};
