/** What scanners ask for. All in lower case. */

/**
 * Names of crawlers (shared/crawlers/data) that send attacks or word lists. Surveys of the internet, such as Censys, ask for pages; what an
 * owner has ordered, such as Detectify, is no news to him.
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

/** Steps of a path that begin with a dot and that no web server shows on purpose; beside them all that begins as `.env` does. */
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

/** Ends of paths that are secrets or known ways in, wherever they lie. */
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
 * Steps of a path that some websites have. Left out is what honest clients ask any website for: autodiscover.xml (mail programs), /actuator/health and
 * /server-status (monitoring), appsettings.json (Blazor), and what a move leaves dead links to (wp-includes, vendor, cgi-bin).
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

/** Ends of paths that some websites have. */
export const guessedEnds: readonly string[] = [
  '/wp-json/wp/v2/users',
  '/actuator/env',
  '/actuator/heapdump',
  '/actuator/gateway/routes',
  '/manager/html',
  '/owa/auth/logon.aspx',
  // Dumps and copies that were left lying about.
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

/** Archives of these names alone: a website may well offer downloads. */
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
