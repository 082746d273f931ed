/** Targets and names that scanners use. All in lower case. */

/**
 * Crawlers (shared/crawlers/data) that send attacks or word lists. Internet surveys such as Censys are left out because
 * they request normal pages. Scans that the owner orders, such as Detectify, are left out because they are no news.
 */
export const attackTools: ReadonlySet<string> = new Set([
  'Nmap',
  'Nuclei',
  'sqlmap',
  'Nikto',
  'WPScan',
  'Acunetix',
  'Nessus',
  'gobuster',
  'ffuf',
  'feroxbuster',
  'dirbuster',
  'OWASP ZAP',
  'LeakIX',
]);

/**
 * Path segments that begin with a dot and that no web server publishes on purpose. Segments that begin with `.env` also
 * count.
 */
export const secretSteps: ReadonlySet<string> = new Set([
  '.git',
  '.svn',
  '.hg',
  '.bzr',
  '.aws',
  '.ssh',
  '.kube',
  '.docker',
  '.vscode',
  '.idea',
  '.htpasswd',
  '.npmrc',
  '.pypirc',
  '.netrc',
  '.pgpass',
  '.my.cnf',
  '.bash_history',
  '.gitconfig',
  '.git-credentials',
  '.circleci',
  '.s3cfg',
  '.dockerenv',
]);

/** Path suffixes of secrets or known exploits, in any folder. */
export const secretEnds: readonly string[] = [
  '/eval-stdin.php',
  '/wp-config.php.bak',
  '/wp-config.php~',
  '/wp-config.php.save',
  '/etc/passwd',
  '/etc/shadow',
  '/proc/self/environ',
];

/**
 * Path segments that some websites have. Paths that honest clients request from any website are left out:
 * autodiscover.xml (mail programs), /actuator/health and /server-status (monitoring), appsettings.json (Blazor), and
 * dead links after a migration (wp-includes, vendor, cgi-bin).
 */
export const guessedSteps: ReadonlySet<string> = new Set([
  'wp-login.php',
  'xmlrpc.php',
  'wp-config.php',
  'wlwmanifest.xml',
  'phpmyadmin',
  'phpmyadmin2',
  'pma',
  'myadmin',
  'mysqladmin',
  'adminer.php',
  'phpinfo.php',
  'info.php',
  'phpunit',
  'luci',
  'boaform',
  'goform',
  'hnap1',
  'solr',
  'administrator',
  'web-inf',
  '_ignition',
  '_profiler',
  'jmx-console',
  'docker-compose.yml',
  'web.config',
  'id_rsa',
  'sftp-config.json',
  'shell.php',
  'cmd.php',
  'alfa.php',
  'wso.php',
  'c99.php',
  'r57.php',
]);

/** Path suffixes that some websites have. */
export const guessedEnds: readonly string[] = [
  '/wp-json/wp/v2/users',
  '/actuator/env',
  '/actuator/heapdump',
  '/actuator/gateway/routes',
  '/manager/html',
  '/owa/auth/logon.aspx',
  // Forgotten dumps and copies.
  '.sql',
  '.sql.gz',
  '.sql.zip',
  '.bak',
  '.old',
  '.swp',
  '.php~',
  '.tfstate',
  '.pem',
];

/** Only archives with these names count: a website may offer downloads. */
export const guessedArchives: ReadonlySet<string> = new Set([
  'backup',
  'www',
  'site',
  'dump',
  'database',
  'db',
  'public_html',
  'wwwroot',
]);
export const archiveEnds: readonly string[] = ['.zip', '.tar.gz', '.tgz', '.rar', '.7z', '.tar'];
