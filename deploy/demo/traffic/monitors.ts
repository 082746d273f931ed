import type { DemoActor } from './demo-request.js';
import type { Resource } from './resource.js';
import type { Manner } from './shop-server.js';
import type { Scene, TrafficSource } from './source.js';

interface Robot {
  bot: string;
  actor: DemoActor;
  userAgent: string;
  addresses: string[];
  country: string;
  share: number;
  method?: 'GET' | 'HEAD';
  /** Part of its requests answered 304. */
  unchanged?: number;
}

// biome-ignore format: a table reads best as a table
const uptime: Robot[] = [
  { bot: 'UptimeRobot', actor: 'monitoring', country: 'US', share: 0.006, method: 'HEAD', addresses: ['216.144.248.27', '216.144.248.28', '216.144.248.29', '3.12.251.153', '63.178.84.147'], userAgent: 'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)' },
  { bot: 'Pingdom', actor: 'monitoring', country: 'SE', share: 0.004, addresses: ['13.232.220.164', '23.22.2.46', '23.83.129.219', '23.92.127.2', '46.20.45.18'], userAgent: 'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)' },
  { bot: 'StatusCake', actor: 'monitoring', country: 'GB', share: 0.002, addresses: ['34.65.97.251', '34.78.123.120', '13.48.110.214'], userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 StatusCake' },
];

// biome-ignore format: a table reads best as a table
const feedReaders: Robot[] = [
  { bot: 'Feedly', actor: 'feed_reader', country: 'US', share: 0.002, unchanged: 0.8, addresses: ['8.29.198.25', '8.29.198.26', '8.29.198.27'], userAgent: 'Feedly/1.0 (+http://www.feedly.com/fetcher.html; 312 subscribers; like FeedFetcher-Google)' },
  { bot: 'Feedbin', actor: 'feed_reader', country: 'US', share: 0.001, unchanged: 0.9, addresses: ['64.227.6.139'], userAgent: 'Feedbin feed-id:1904225 - 41 subscribers' },
  { bot: 'Inoreader', actor: 'feed_reader', country: 'BG', share: 0.001, unchanged: 0.7, addresses: ['167.71.63.3', '139.59.32.81'], userAgent: 'Mozilla/5.0 (compatible; inoreader.com; 58 subscribers)' },
];

/** What asks for the same few addresses day and night: uptime checks and feed readers. */
export function createMonitors(scene: Scene): TrafficSource[] {
  const { site } = scene;
  return [
    ...uptime.map((robot) => robotSource(scene, robot, [site.home, site.health])),
    ...feedReaders.map((robot) => robotSource(scene, robot, [site.feed])),
  ];
}

function robotSource({ serve, random }: Scene, robot: Robot, wanted: Resource[]): TrafficSource {
  return {
    share: robot.share,
    rhythm: () => 1,
    visit(at, emit) {
      const client = {
        ip: random.pick(robot.addresses),
        country: robot.country,
        userAgent: robot.userAgent,
        protocol: 'HTTP/1.1',
        actor: robot.actor,
        bot: robot.bot,
      };
      const manner: Manner = {
        method: robot.method ?? 'GET',
        revalidates: robot.unchanged !== undefined && random.chance(robot.unchanged),
      };
      emit(serve(client, random.pick(wanted), at, manner));
    },
  };
}
