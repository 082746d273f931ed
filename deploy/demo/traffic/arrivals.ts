import type { Country } from './networks.js';
import { type Sampler, weighted } from './random.js';
import type { Resource } from './resource.js';
import type { Scene } from './source.js';

/** How a visit begins: the page first asked for and the link that led to it. */
export interface Arrival {
  landing: Resource;
  /** Referer of the first request; '' for none. */
  referrer: string;
  /** Inside a social network's app. */
  inApp: boolean;
}

type Channel = 'direct' | 'search' | 'paid' | 'newsletter' | 'social' | 'partner' | 'old_link';

const channels = weighted<[Channel, number]>(
  [
    ['direct', 27],
    ['search', 42],
    ['paid', 7],
    ['newsletter', 7],
    ['social', 11],
    ['partner', 4],
    ['old_link', 1.6],
  ],
  ([, weight]) => weight,
);

const nationalGoogle: ReadonlyMap<string, string> = new Map([
  ['GB', 'https://www.google.co.uk/'],
  ['DE', 'https://www.google.de/'],
  ['FR', 'https://www.google.fr/'],
  ['NL', 'https://www.google.nl/'],
]);

const otherEngines = pairs([
  ['https://www.bing.com/', 50],
  ['https://duckduckgo.com/', 24],
  ['https://www.ecosia.org/', 12],
  ['https://search.yahoo.com/', 7],
  ['https://search.brave.com/', 6],
  ['https://yandex.ru/', 2],
  ['https://www.qwant.com/', 1],
]);

const socialNetworks = pairs([
  ['https://l.instagram.com/', 34],
  ['https://l.facebook.com/', 20],
  ['https://m.facebook.com/', 12],
  ['https://www.pinterest.com/', 12],
  ['https://www.reddit.com/', 9],
  ['https://www.youtube.com/', 6],
  ['https://t.co/abCD12efGH', 4],
  ['https://www.linkedin.com/', 2],
  ['https://www.tiktok.com/', 4],
]);

const partners = pairs([
  ['https://www.trailnotes.example/gear/the-ten-best-daypacks', 30],
  ['https://outdoor-forum.example/threads/which-boots.18220/', 24],
  ['https://www.price-compare.example/outdoor/tents', 20],
  ['https://blog.wanderlust-family.example/packliste-h%C3%BCttentour', 14],
  ['https://news.alpineweekly.example/2026/11/winter-kit', 12],
]);

/** [referrer, utm_source, weight]: an app sends one, the other, or both. */
const assistants = weighted<[referrer: string, utmSource: string, weight: number]>(
  [
    ['https://chatgpt.com/', 'chatgpt.com', 46],
    ['', 'chatgpt.com', 14],
    ['https://www.perplexity.ai/', '', 12],
    ['', 'perplexity', 2],
    ['https://gemini.google.com/', '', 9],
    ['https://copilot.microsoft.com/', '', 7],
    ['https://claude.ai/', '', 6],
    ['', 'copilot.com', 1],
    ['https://chat.mistral.ai/', '', 1],
    ['https://grok.com/', '', 1],
    ['https://chat.deepseek.com/', '', 1],
    ['https://meta.ai/', '', 0.6],
    ['https://you.com/', '', 0.4],
  ],
  ([, , weight]) => weight,
);

export function createArrivals({ site, random }: Scene) {
  const anyLanding = landingSampler([0.3, 0.22, 0.34, 0.1]);
  const quotedPosts = weighted(site.quotedPosts, (_post, index) => 1 / (1 + index) ** 2);
  const deepLanding = landingSampler([0.05, 0.2, 0.45, 0.28]);

  /** Weights of home, listing, product and post among the landing pages. */
  function landingSampler(weights: number[]): () => Resource {
    const kinds = [
      () => site.home,
      () => site.popularListing(random),
      () => site.popularProduct(random).page,
      () => random.pick(site.posts),
    ];
    const kind = weighted(kinds, (_kind, index) => weights[index]!);
    return () => kind(random)();
  }

  const arrive = (landing: Resource, referrer: string, inApp = false): Arrival => ({
    landing,
    referrer,
    inApp,
  });

  function searchEngine(country: Country): string {
    if (!random.chance(0.86)) return otherEngines(random);
    const national = nationalGoogle.get(country.code);
    return national !== undefined && random.chance(0.3) ? national : 'https://www.google.com/';
  }

  return {
    draw(at: number, country: Country, isMobile: boolean): Arrival {
      switch (channels(random)[0]) {
        case 'search':
          return arrive(deepLanding(), searchEngine(country));
        case 'paid':
          return arrive(
            tagged(site.popularProduct(random).page, `gclid=Cj0KCQiA${random.bits().toString(36)}`),
            'https://www.google.com/',
          );
        case 'newsletter': {
          const day = new Date(at).toISOString().slice(0, 10);
          const campaign = `utm_source=newsletter&utm_medium=email&utm_campaign=${day.slice(0, 7)}-winter`;
          return arrive(tagged(site.popularListing(random), campaign), '');
        }
        case 'social': {
          const inApp = isMobile && random.chance(0.7);
          return arrive(
            tagged(deepLanding(), 'utm_source=social&utm_medium=organic'),
            socialNetworks(random),
            inApp,
          );
        }
        case 'partner':
          return arrive(deepLanding(), partners(random));
        case 'old_link':
          return arrive(
            random.chance(0.6) ? site.popularRetired(random) : random.pick(site.legacy),
            random.chance(0.5) ? partners(random) : 'https://www.google.com/',
          );
        case 'direct':
          return arrive(anyLanding(), '');
      }
    },

    fromAssistant(): Arrival {
      const [referrer, utmSource] = assistants(random);
      const landing = random.chance(0.3) ? quotedPosts(random) : deepLanding();
      return arrive(utmSource === '' ? landing : tagged(landing, `utm_source=${utmSource}`), referrer);
    },
  };
}

/** The same page under an address with campaign parameters. */
function tagged(page: Resource, query: string): Resource {
  return {
    ...page,
    target: `${page.target}${page.target.includes('?') ? '&' : '?'}${query}`,
  };
}

function pairs(entries: [string, number][]): Sampler<string> {
  const draw = weighted(entries, ([, weight]) => weight);
  return (random) => draw(random)[0];
}
