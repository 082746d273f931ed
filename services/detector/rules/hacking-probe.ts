import { isProbedPath } from '../../../shared/detection/probes.js';
import { SURE_PROBES } from '../counts/named-addresses.js';
import type { ClientCounts } from '../counts/span-counts.js';
import { findingsByAddress } from './by-address.js';
import { span } from './figures.js';
import { type Rule, TWO_OF_THREE } from './rule.js';

/**
 * An address that probes for vulnerabilities: configuration files, shells, logins of programs that may not be
 * installed. An attack tool may also request pages that the website has, or guess passwords.
 */
export const hackingProbe: Rule = {
  type: 'hacking_probe',
  persistence: TWO_OF_THREE,
  inhibitedBy: [],
  find(window, website) {
    const length = span(window.end - window.start);
    const findings = findingsByAddress(window, website, {
      is: ({ isProbing }) => isProbing,
      count: 'probes',
      sentence: (who, probes, clients) => sentences[attackOf(clients)](who, probes, length, clients),
      details: (clients) => ({ attack: attackOf(clients) }),
    });
    return findings.map((finding) => ({ ...finding, isSure: Number(finding.details.probes) >= SURE_PROBES }));
  },
};

/**
 * - `sign_in`: it tries to sign in, and is refused.
 * - `paths`: it asks for paths that only attackers request.
 * - `requests`: its requests are attacks, or those of an attack tool, and their paths exist on websites.
 */
type Attack = 'sign_in' | 'paths' | 'requests';

const sentences: Readonly<
  Record<Attack, (who: string, probes: number, length: string, clients: readonly ClientCounts[]) => string>
> = {
  sign_in: (who, _probes, length, clients) => {
    const refused = clients.reduce((sum, { rejected }) => sum + rejected, 0);
    const requests = clients.reduce((sum, one) => sum + one.requests, 0);
    return `${who} tried to sign in at ${pathOf(clients)}: ${refused} of ${requests} requests in ${length} were refused.`;
  },
  paths: (who, probes, length, clients) =>
    `${who} asked ${probes} times in ${length} for paths that only attackers request, such as ${sampleOf(clients)}.`,
  requests: (who, probes, length, clients) =>
    `${who} sent ${probes} requests in ${length} that only attackers send, such as one for ${sampleOf(clients)}.`,
};

const sampleOf = ([first]: readonly ClientCounts[]) => first?.samplePaths[0] ?? '?';

const pathOf = (clients: readonly ClientCounts[]) => withoutQuery(sampleOf(clients));

function withoutQuery(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}

/** The attack of all of them; `requests` if they differ. */
function attackOf(clients: readonly ClientCounts[]): Attack {
  const [first, ...others] = new Set(clients.map(attackOfOne));
  return first !== undefined && others.length === 0 ? first : 'requests';
}

/** A scan of many paths may begin with a sign-in page. */
const MOST_PATHS_OF_SIGN_IN = 5;

/** Last steps of the paths of sign-in pages. */
const signIns: ReadonlySet<string> = new Set(
  'sign-in signin sign_in login log-in log_in logon wp-login.php session sessions'.split(' '),
);

function attackOfOne(client: ClientCounts): Attack {
  const path = pathOf([client]);
  const step = path.replace(/\/$/, '').split('/').at(-1)!.toLowerCase();
  const isRefused = 2 * client.rejected >= client.requests;
  if (signIns.has(step) && isRefused && client.paths <= MOST_PATHS_OF_SIGN_IN) return 'sign_in';
  return isProbedPath(path, true) ? 'paths' : 'requests';
}
