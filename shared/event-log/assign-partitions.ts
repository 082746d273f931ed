/**
 * Distributes the partitions of a topic over the members of a group. Shares differ by at most one, and as few
 * partitions as possible move. Pure.
 * @param current present owners (partition to member); may include members that left
 * @returns partition to member; empty without members
 */
export function assignPartitions(
  partitions: number,
  members: readonly number[],
  current: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const assigned = new Map<number, number>();
  if (members.length === 0) return assigned;
  const held = new Map(members.map((member) => [member, [] as number[]]));
  const free: number[] = [];
  for (let partition = 0; partition < partitions; partition++) {
    const holder = held.get(current.get(partition) ?? Number.NaN);
    (holder ?? free).push(partition);
  }
  // Members with the most partitions get the larger shares, so that the fewest partitions move.
  const byHolding = [...members].sort((a, b) => held.get(b)!.length - held.get(a)!.length || a - b);
  const share = Math.floor(partitions / members.length);
  const larger = partitions % members.length;
  const quota = new Map(byHolding.map((member, at) => [member, share + (at < larger ? 1 : 0)]));
  for (const member of members) free.push(...held.get(member)!.splice(quota.get(member)!));
  free.sort((a, b) => a - b);
  for (const member of members) {
    const own = held.get(member)!;
    own.push(...free.splice(0, quota.get(member)! - own.length));
    for (const partition of own) assigned.set(partition, member);
  }
  return assigned;
}
