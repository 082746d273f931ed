/**
 * How far each website's data has come, as the process knows it. An answer that was read at one version is as good as a new
 * one for as long as the version stands.
 */
export interface DataVersions {
  /**
   * Another text whenever something that an answer about the website rests on may have changed; null: the process can't know.
   * To be asked before a read begins: what changes while it runs must not count as read.
   */
  versionOf(websiteId: string): string | null;
}

export interface RaisedVersions extends DataVersions {
  /** When the change can be read, or may be. */
  raise(websiteIds: Iterable<string>): void;
  raiseAll(): void;
}

/** For a process that others write beside: the API run apart. */
export const unknownVersions: DataVersions = { versionOf: () => null };

/** For the one process that writes all there is. A website that is raised takes a few bytes from then on. */
export function createDataVersions(): RaisedVersions {
  const own = new Map<string, number>();
  let all = 0;
  return {
    versionOf: (websiteId) => `${all}.${own.get(websiteId) ?? 0}`,
    raise(websiteIds) {
      for (const websiteId of websiteIds) own.set(websiteId, (own.get(websiteId) ?? 0) + 1);
    },
    raiseAll() {
      all += 1;
    },
  };
}
