import { CliError, exitCodes, usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import type { StoredSettings } from './settings-file.js';

export type Origin = 'environment' | 'file' | 'none';

/** The settings of one run, with the origin of each. */
export interface Settings {
  readonly url: string | null;
  readonly key: string | null;
  readonly website: string | null;
  readonly origins: { readonly url: Origin; readonly key: Origin; readonly website: Origin };
}

/**
 * Variables come before the file. The file's key and website belong to the file's instance: with another LOGLANE_URL they are not used,
 * so a key never goes to an instance that it is not for.
 */
export function resolveSettings(env: Context['env'], stored: StoredSettings): Settings {
  const url = pick(env.LOGLANE_URL, stored.url);
  const isFiles = url.value === null || stored.url === undefined || sameInstance(url.value, stored.url);
  const key = pick(env.LOGLANE_KEY, isFiles ? stored.key : undefined);
  const website = pick(env.LOGLANE_WEBSITE, isFiles ? stored.website : undefined);
  return {
    url: url.value,
    key: key.value,
    website: website.value,
    origins: { url: url.origin, key: key.origin, website: website.origin },
  };
}

/** @returns the address without a slash at its end. @throws CliError for no http address. */
export function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw usageError(`"${text}" is no address of a Loglane instance; expected https://HOST`);
  if (url.username !== '' || url.password !== '')
    throw usageError('the address contains a user name or password; give the key to `loglane login --key -`');
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/public\/v1$/, '')}`;
}

/** @throws CliError that says how to sign in. */
export function accessOf({ url, key }: Settings): { url: string; key: string } {
  if (url !== null && key !== null) return { url: parseUrl(url), key };
  const missing = url === null ? 'No Loglane instance is set' : 'No API key is set';
  throw new CliError(
    `${missing}; run \`loglane login --url https://HOST --key -\`, or set LOGLANE_URL and LOGLANE_KEY`,
    exitCodes.authentication,
  );
}

function pick(
  given: string | undefined,
  stored: string | undefined,
): { value: string | null; origin: Origin } {
  if (given !== undefined && given !== '') return { value: given, origin: 'environment' };
  return stored === undefined ? { value: null, origin: 'none' } : { value: stored, origin: 'file' };
}

function sameInstance(one: string, other: string): boolean {
  return parseUrl(one) === parseUrl(other);
}
