import type { Country } from './networks.js';
import { drawn } from './random.js';
import type { Resource } from './resource.js';
import type { Scene } from './scene.js';

/** Start of a visit: its landing page and the link to it. */
export interface Arrival {
  landing: Resource;
  /** Referer of the first request; '' for none. */
  referrer: string;
  /** Inside a social network's app. */
  inApp: boolean;
}

const channels = drawn({
  direct: 27,
  search: 42,
  paid: 7,
  newsletter: 7,
  social: 11,
  partner: 4,
  oldLink: 1.6,
});

const GOOGLE = 'https://www.google.com/';
const nationalGoogles: ReadonlyMap<string, string> = new Map([
  ['GB', 'https://www.google.co.uk/'],
  ['DE', 'https://www.google.de/'],
  ['FR', 'https://www.google.fr/'],
]);
const otherEngines = drawn({
  'https://www.bing.com/': 50,
  'https://duckduckgo.com/': 24,
  'https://www.ecosia.org/': 12,
  'https://search.yahoo.com/': 7,
  'https://search.brave.com/': 6,
});
const socialNetworks = drawn({
  'https://l.instagram.com/': 34,
  'https://l.facebook.com/': 32,
  'https://www.pinterest.com/': 12,
  'https://www.reddit.com/': 9,
  'https://www.youtube.com/': 6,
  'https://t.co/abCD12efGH': 4,
  'https://www.tiktok.com/': 4,
});
const partners = drawn({
  'https://www.trailnotes.example/gear/the-ten-best-daypacks': 30,
  'https://outdoor-forum.example/threads/which-boots.18220/': 24,
  'https://www.price-compare.example/outdoor/tents': 20,
  'https://blog.wanderlust-family.example/packliste-h%C3%BCttentour': 14,
});
/** Referrer and utm_source of links in assistants' answers; an app sends one or both. */
const assistants = drawn({
  'https://chatgpt.com/ chatgpt.com': 46,
  ' chatgpt.com': 14,
  'https://www.perplexity.ai/ ': 12,
  ' perplexity': 2,
  'https://gemini.google.com/ ': 9,
  'https://copilot.microsoft.com/ ': 7,
  'https://claude.ai/ ': 6,
  'https://chat.mistral.ai/ ': 1,
  ' copilot.com': 1,
  'https://grok.com/ ': 1,
  'https://chat.deepseek.com/ ': 1,
  'https://meta.ai/ ': 0.6,
  'https://you.com/ ': 0.4,
});

export function createArrivals({ site, random }: Scene) {
  const landings = {
    home: () => site.home,
    listing: () => site.popularListing(random),
    product: () => site.popularProduct(random).page,
    post: () => random.pick(site.posts),
  };
  const front = drawn({ home: 30, listing: 22, product: 34, post: 10 });
  const deep = drawn({ home: 5, listing: 20, product: 45, post: 28 });
  const deepLanding = () => landings[deep(random)]();
  const arrive = (landing: Resource, referrer = '', inApp = false): Arrival => ({ landing, referrer, inApp });

  function searchEngine(country: Country): string {
    if (!random.chance(0.86)) return otherEngines(random);
    return random.chance(0.3) ? (nationalGoogles.get(country.code) ?? GOOGLE) : GOOGLE;
  }

  return {
    draw(at: number, country: Country, isMobile: boolean): Arrival {
      switch (channels(random)) {
        case 'search':
          return arrive(deepLanding(), searchEngine(country));
        case 'paid':
          return arrive(tagged(landings.product(), `gclid=Cj0KCQiA${random.bits().toString(36)}`), GOOGLE);
        case 'newsletter': {
          const month = new Date(at).toISOString().slice(0, 7);
          const campaign = `utm_source=newsletter&utm_medium=email&utm_campaign=${month}-winter`;
          return arrive(tagged(landings.listing(), campaign));
        }
        case 'social': {
          const landing = tagged(deepLanding(), 'utm_source=social&utm_medium=organic');
          return arrive(landing, socialNetworks(random), isMobile && random.chance(0.7));
        }
        case 'partner':
          return arrive(deepLanding(), partners(random));
        case 'oldLink': {
          const landing = random.chance(0.6) ? site.popularRetired(random) : random.pick(site.legacy);
          return arrive(landing, random.chance(0.5) ? partners(random) : GOOGLE);
        }
        case 'direct':
          return arrive(landings[front(random)]());
      }
    },

    fromAssistant(): Arrival {
      const [referrer = '', utmSource = ''] = assistants(random).split(' ');
      const landing = random.chance(0.3) ? site.quotedPost(random) : deepLanding();
      return arrive(utmSource === '' ? landing : tagged(landing, `utm_source=${utmSource}`), referrer);
    },
  };
}

/** The same page with campaign parameters. */
function tagged(page: Resource, query: string): Resource {
  return { ...page, target: `${page.target}${page.target.includes('?') ? '&' : '?'}${query}` };
}
