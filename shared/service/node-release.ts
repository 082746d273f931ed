/**
 * First releases of Node.js, by line, in which a sender can't choose the hashes of texts that are whole numbers (CVE-2026-21717). Before them a map of
 * 16,000 chosen numbers, sent as cache statuses for instance, took some 50 times as long to build, and the time grows with the square of their number.
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
