import { existsSync } from 'node:fs';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * A browser for tests.
 * @returns null, after a message, if there is none
 * @throws instead if CI is set
 */
export function findChromium(): string | null {
  const found = PATHS.find((path) => existsSync(path));
  if (found !== undefined) return found;
  const reason = `no browser for tests: none of ${PATHS.join(', ')}`;
  if (process.env.CI) throw new Error(reason);
  console.warn(`${reason}; tests that need it are skipped`);
  return null;
}
