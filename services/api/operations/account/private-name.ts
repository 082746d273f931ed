/**
 * Top-level names that are not in the public DNS: RFC 6761, RFC 6762 (local), RFC 7686 (onion), RFC 8375 (home.arpa), ICANN's
 * internal, and the names that RFC 6762 appendix G lists as used in private networks.
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

/** @param domain normalised by `normaliseDomain`. */
export function isPrivateName(domain: string): boolean {
  return privateZones.some((zone) => domain.endsWith(`.${zone}`));
}
