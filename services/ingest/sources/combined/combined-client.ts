import { connectionOf } from '../util/choose-client.js';
import { normaliseIp } from '../util/client-ip.js';
import { quote } from '../util/cut-text.js';
import { isHostName } from '../util/host-name.js';
import type { Rejection } from '../util/source.js';
import { normaliseHost } from '../util/target.js';

export interface Client {
  /** Addresses of the connection, for chooseClient. */
  readonly connection: readonly string[];
  /** From a `%v:%p` or `%v` prefix, or from the ident's place; '' without one. */
  readonly host: string;
  /** The word in the client's place. */
  readonly word: string;
  /** The same line if the first of two addresses is a requested host. */
  readonly ifNamesHosts?: Client;
}

/**
 * Counts the forms of the words before the time in an upload's lines. Two addresses and the ident's hyphen are either
 * a requested host and the client's address, or a forwarded address and the proxy's. Other lines decide.
 */
export interface PrefixOrder {
  /** Lines that began with a host name, an address and the ident's hyphen. */
  hosts: number;
  /** Lines that began with two addresses and the ident's hyphen. */
  pairs: number;
}

/** Lines that are enough to decide on the next one. */
const ENOUGH_LINES = 16;

export const isSureOfHosts = ({ hosts, pairs }: PrefixOrder) => hosts + pairs >= ENOUGH_LINES;
export const namesHosts = ({ hosts, pairs }: PrefixOrder) => hosts >= pairs;

/**
 * Reads the client from the words before a combined line's time: `[vhost[:port]] [forwarded-for …] address ident user`.
 * @param end index of the space before the time
 */
export function readClient(line: string, end: number, order: PrefixOrder): Client | Rejection {
  const space = line.indexOf(' ');
  const first = line.slice(0, space);
  // Most lines are `address - user`, without a list and a virtual host.
  if (line.charCodeAt(space + 1) === 45 /* - */) {
    const ip = normaliseIp(first);
    if (ip !== '') return { connection: [ip], host: '', word: first };
  }
  return readPrefix(line.slice(0, end), order);
}

/**
 * Whether an address, or a mark for none, is one of the first two words before a line's time: an ident's mark follows
 * a host's name.
 */
export function beginsWithClient(prefix: string): boolean {
  const words = wordsOf(prefix.slice(0, LONGEST_BEGINNING)).slice(0, 2);
  return words.some((word) => isNone(word) || normaliseIp(word) !== '');
}

/** Upper bound for a host's name and an address. */
const LONGEST_BEGINNING = 400;

function wordsOf(prefix: string): string[] {
  return prefix.replace(/[",]/g, ' ').trim().split(/ +/);
}

function readPrefix(prefix: string, order: PrefixOrder): Client | Rejection {
  const words = wordsOf(prefix);
  const pair = readPair(words, prefix);
  if (pair !== null) order.pairs += 1;
  if (pair !== null) return pair;
  let at = 0;
  let host = '';
  // After a host name in the client's place, the ident's hyphen and the user's name follow. The client chooses the
  // user's name.
  if (isVirtualHost(words[0]!, prefix) && words[1] !== '-' && startsAddresses(words, 1)) {
    host = isNone(words[0]!) ? '' : normaliseHost(words[0]!);
    at = 1;
    if (isHostName(words[0]!) && words[2] === '-') order.hosts += 1;
  }
  const first = at;
  const addresses: string[] = [];
  // After an address a hyphen is the ident. The user's name follows, and may look like an address.
  for (; at < words.length && startsAddresses(words, at); at++) {
    if (words[at] === '-' && addresses.length > 0) break;
    const ip = normaliseIp(words[at]!);
    if (ip !== '') addresses.push(ip);
  }
  if (at - first > 1 && !isList(prefix, first) && holdsUser(words, at)) return unclear;
  host ||= hostOfIdent(words, addresses.length);
  return { connection: connectionOf(addresses), host, word: words[at] ?? '' };
}

export const noAddress = (word: string): Rejection => ({
  reject: `client_ip: ${quote(word)} is no address; log addresses, not host names (Apache: %a)`,
});

/** Two addresses and the ident's hyphen, without the comma or quotes of a list, and no server's port. */
function readPair(words: readonly string[], prefix: string): Client | null {
  const [first = '', second = '', ident] = words;
  if (ident !== '-' || /[",]/.test(prefix) || isVirtualHost(first, prefix)) return null;
  const connection = normaliseIp(second);
  if (connection === '') return null;
  const ifNamesHosts = { connection: [connection], host: normaliseHost(first), word: second };
  return { connection: connectionOf([normaliseIp(first), connection]), host: '', word: first, ifNamesHosts };
}

const unclear: Rejection = {
  reject:
    'several addresses before the time, and no ident and user behind them: one may be a user name; describe the lines by ?format=… (docs/sources/own-format.md)',
};

/**
 * Whether no ident and user follow the addresses. The last address may then be a user's name, which the client
 * chooses.
 */
function holdsUser(words: readonly string[], behind: number): boolean {
  return words.length - behind < 2 || words[behind] !== '-';
}

/** Whether the addresses are a list of a proxy: it has a comma or quotes at its first address. A user's name may have a comma, too. */
function isList(prefix: string, first: number): boolean {
  return /^"|^[^ ",]+,/.test(first === 0 ? prefix : prefix.slice(prefix.indexOf(' ') + 1));
}

/** Hosting providers write the host instead of the unused ident: `address host user`. */
function hostOfIdent(words: readonly string[], addresses: number): string {
  const ident = words[1]!;
  return words.length === 3 && addresses === 1 && isHostName(ident) ? normaliseHost(ident) : '';
}

/**
 * Whether the word is a name, except nginx's for a socket, or a server's own address with its port. In a list of
 * forwarded addresses the latter would be a client's.
 */
function isVirtualHost(word: string, prefix: string): boolean {
  if (word === 'unix:') return false;
  return normaliseIp(word) === '' || (/^[\d.]+:\d+$/.test(word) && !prefix.includes(','));
}

/** An address, or a mark for "none" in a list that an address follows. */
function startsAddresses(words: readonly string[], at: number): boolean {
  const word = words[at];
  if (word === undefined) return false;
  if (normaliseIp(word) !== '') return true;
  return isNone(word) && normaliseIp(words[at + 1] ?? '') !== '';
}

/** The mark of a server, or of a proxy or client in a forwarded list, for an unknown address. */
function isNone(word: string): boolean {
  return word === '-' || word === 'unknown';
}
