/** The version of each website's data, as far as this process knows it. While the version is unchanged, a cached answer is valid. */
export interface DataVersions {
  /**
   * @returns another text whenever data that an answer about the website may depend on has changed; null: the process can not know.
   * Call this before a read begins: the read may miss changes that happen during it.
   */
  versionOf(websiteId: string): string | null;
}

export interface RaisedVersions extends DataVersions {
  /** Call this when the change is readable, or may be. */
  raise(websiteIds: Iterable<string>): void;
  raiseAll(): void;
}

/** For a process that does not see all writes: a separate API process. */
export const unknownVersions: DataVersions = { versionOf: () => null };

/** For the only process that writes data. Each raised website takes a few bytes from then on. */
export function createDataVersions(): RaisedVersions {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    versionOf: (websiteId) => `${all}.${counts.get(websiteId) ?? 0}`,
    raise(websiteIds) {
      for (const websiteId of websiteIds) counts.set(websiteId, (counts.get(websiteId) ?? 0) + 1);
    },
    raiseAll() {
      all += 1;
    },
  };
}
