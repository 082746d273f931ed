/**
 * First releases of Node.js, by line, whose strings that are whole numbers have hashes that nobody outside can choose (CVE-2026-21717). Before them a
 * sender of 16,000 chosen numbers, as cache statuses say, makes a map of them cost 50 times as much as of others, and it grows with the square.
 */
const firstSafe = [
  [20, 20, 2],
  [22, 22, 2],
  [24, 14, 1],
  [25, 8, 2],
] as const;
/** Every release from this line on is safe. */
const FIRST_SAFE_LINE = 26;

/** Whether the time of look-ups stays linear whatever texts come from outside. @param version such as `20.20.2` */
export function isSafeRelease(version: string): boolean {
  const [line = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (line >= FIRST_SAFE_LINE) return true;
  const first = firstSafe.find(([of]) => of === line);
  return first !== undefined && (minor > first[1] || (minor === first[1] && patch >= first[2]));
}

/** As package.json has them under `engines`. */
export const safeReleases = [
  ...firstSafe.map((release) => `^${release.join('.')}`),
  `>=${FIRST_SAFE_LINE}`,
].join(' || ');
