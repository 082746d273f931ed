/**
 * Top-level names that the public DNS does not have: RFC 6761, RFC 6762 (local), RFC 7686 (onion), RFC 8375 (home.arpa), ICANN's internal, and
 * those of RFC 6762 appendix G that networks use.
 */
const privateZones = [
  'alt',
  'corp',
  'example',
  'home',
  'home.arpa',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'private',
  'test',
];

/** @param domain as `normaliseDomain` gives it. */
export function isPrivateName(domain: string): boolean {
  return privateZones.some((zone) => domain.endsWith(`.${zone}`));
}
