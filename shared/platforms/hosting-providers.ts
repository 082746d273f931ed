import type { Platform } from '../control/domain/model.js';

/**
 * DNS evidence of a website's host: names and addresses that a platform documents for its customers or publishes as its
 * own. Cloudflare's ranges: cloudflare.com/ips as of February 2026. Fastly's: api.fastly.com/public-ip-list as of
 * October 2026. An unrecognised website gets the fallback, and its owner can choose.
 */

export interface HostingProvider {
  /** Stable identifier: the `cdn` of spec §2.2. */
  readonly cdn: string;
  readonly displayName: string;
  /** Whether customers of the platform can have their request logs delivered. */
  readonly compatible: boolean;
  /** Log source of the platform. */
  readonly sourceType: Platform;
  /** Suffixes of CNAME targets. */
  readonly cnames: readonly string[];
  /** CIDR blocks of its websites' addresses. */
  readonly ranges?: readonly string[];
  /** Autonomous systems that only announce this platform; checked after the ranges of every platform. */
  readonly asns?: readonly number[];
  /** Suffixes of its name servers, if customers who use them can enable the platform. */
  readonly nameServers?: readonly string[];
}

/** In order of precedence: if evidence overlaps, the more specific platform is first. */
export const hostingProviders: readonly HostingProvider[] = [
  {
    cdn: 'cloudflare',
    displayName: 'Cloudflare',
    compatible: true,
    sourceType: 'cloudflare',
    cnames: ['cdn.cloudflare.net', 'cloudflare.net'],
    asns: [13335, 209242],
    ranges: [
      ...['173.245.48.0/20', '103.21.244.0/22', '103.22.200.0/22', '103.31.4.0/22', '141.101.64.0/18'],
      ...['108.162.192.0/18', '190.93.240.0/20', '188.114.96.0/20', '197.234.240.0/22', '198.41.128.0/17'],
      ...['162.158.0.0/15', '104.16.0.0/13', '104.24.0.0/14', '172.64.0.0/13', '131.0.72.0/22'],
      ...['2400:cb00::/32', '2606:4700::/32', '2803:f800::/32', '2405:b500::/32', '2405:8100::/32'],
      ...['2a06:98c0::/29', '2c0f:f248::/32'],
    ],
    nameServers: ['ns.cloudflare.com'],
  },
  {
    cdn: 'vercel',
    displayName: 'Vercel',
    compatible: true,
    sourceType: 'vercel',
    cnames: [
      ...['vercel-dns.com', 'vercel-dns-0.com', 'vercel-dns-016.com', 'vercel-dns-017.com'],
      ...['vercel.app', 'now.sh'],
    ],
    ranges: ['76.76.21.0/24', '216.198.79.0/24', '64.29.17.0/24'],
    nameServers: ['vercel-dns.com'],
  },
  {
    cdn: 'netlify',
    displayName: 'Netlify',
    compatible: true,
    sourceType: 'netlify',
    cnames: ['netlify.app', 'netlify.com', 'netlifyglobalcdn.com'],
    ranges: ['75.2.60.5/32'],
  },
  {
    cdn: 'fastly',
    displayName: 'Fastly',
    compatible: true,
    sourceType: 'fastly',
    cnames: ['fastly.net', 'fastlylb.net', 'fastly-edge.com'],
    ranges: [
      ...['23.235.32.0/20', '43.249.72.0/22', '103.244.50.0/24', '103.245.222.0/23', '103.245.224.0/24'],
      ...['104.156.80.0/20', '140.248.64.0/18', '140.248.128.0/17', '146.75.0.0/17', '151.101.0.0/16'],
      ...['157.52.64.0/18', '167.82.0.0/17', '167.82.128.0/20', '167.82.160.0/20', '167.82.224.0/20'],
      ...['172.111.64.0/18', '185.31.16.0/22', '199.27.72.0/21', '199.232.0.0/16'],
      ...['2a04:4e40::/32', '2a04:4e42::/32'],
    ],
    asns: [54113],
  },
  {
    cdn: 'akamai',
    displayName: 'Akamai',
    compatible: true,
    sourceType: 'akamai',
    cnames: [
      'edgekey.net',
      'edgesuite.net',
      'akamaiedge.net',
      'akamai.net',
      'akamaized.net',
      'edgekey-staging.net',
    ],
    asns: [20940, 16625],
  },
  {
    cdn: 'cloudfront',
    displayName: 'Amazon CloudFront',
    compatible: true,
    sourceType: 'aws',
    cnames: ['cloudfront.net'],
  },
  {
    cdn: 'aws',
    displayName: 'Amazon Web Services',
    compatible: true,
    sourceType: 'aws',
    cnames: ['elb.amazonaws.com', 'amazonaws.com', 'awsglobalaccelerator.com', 'elasticbeanstalk.com'],
    asns: [16509, 14618],
  },
  // Platforms whose logs a shipper can forward.
  ...[
    {
      cdn: 'azure',
      displayName: 'Azure Front Door',
      cnames: ['azurefd.net', 'azureedge.net', 'trafficmanager.net'],
    },
    { cdn: 'bunny', displayName: 'bunny.net', cnames: ['b-cdn.net', 'bunnycdn.com'] },
    { cdn: 'heroku', displayName: 'Heroku', cnames: ['herokudns.com', 'herokuapp.com'] },
  ].map((platform) => ({ ...platform, compatible: true, sourceType: 'vector' as const })),
  // Hosted services without request logs; a CDN in front of them would have logs.
  ...[
    { cdn: 'shopify', displayName: 'Shopify', cnames: ['myshopify.com'], ranges: ['23.227.38.0/24'] },
    { cdn: 'wix', displayName: 'Wix', cnames: ['wixdns.net'] },
    {
      cdn: 'squarespace',
      displayName: 'Squarespace',
      cnames: ['squarespace.com'],
      ranges: ['198.185.159.0/24', '198.49.23.0/24'],
    },
    {
      cdn: 'webflow',
      displayName: 'Webflow',
      cnames: ['webflow.com', 'webflow.io'],
      ranges: ['75.2.70.75/32', '99.83.190.102/32'],
    },
    {
      cdn: 'github_pages',
      displayName: 'GitHub Pages',
      cnames: ['github.io'],
      ranges: ['185.199.108.0/22', '2606:50c0:8000::/46'],
    },
  ].map((platform) => ({ ...platform, compatible: false, sourceType: 'cloudflare' as const })),
];
