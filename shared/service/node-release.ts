/**
 * First Node.js releases, by line, in which a sender cannot choose the hashes of integer texts (CVE-2026-21717). In
 * earlier ones, building a map of 16,000 chosen numbers (sent as cache statuses, for example) takes some 50 times as
 * long, and the time is quadratic.
 */
const firstSafe = [
  [20, 20, 2],
  [22, 22, 2],
  [24, 14, 1],
  [25, 8, 2],
] as const;
/** All releases of this line and later ones are safe. */
const FIRST_SAFE_LINE = 26;

/** Whether look-ups take linear time for any external text. @param version such as `20.20.2` */
export function isSafeRelease(version: string): boolean {
  const [line = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (line >= FIRST_SAFE_LINE) return true;
  const first = firstSafe.find(([of]) => of === line);
  return first !== undefined && (minor > first[1] || (minor === first[1] && patch >= first[2]));
}

/** As in package.json under `engines`. */
export const safeReleases = [
  ...firstSafe.map((release) => `^${release.join('.')}`),
  `>=${FIRST_SAFE_LINE}`,
].join(' || ');
