/** The two kinds of patches that kustomize applies. */

/** Merge keys of lists (Kubernetes' x-kubernetes-patch-merge-key); other lists are replaced. */
const MERGE_KEYS: Record<string, string> = {
  containers: 'name',
  volumes: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  ports: 'containerPort',
  topologySpreadConstraints: 'topologyKey',
};

/** A strategic merge patch. Neither argument is changed. */
export function mergePatch(base: any, patch: any, field = ''): any {
  if (patch === undefined) return base;
  if (Array.isArray(patch)) return mergeLists(base ?? [], patch, MERGE_KEYS[field]);
  if (patch === null || typeof patch !== 'object') return patch;
  const merged = { ...base };
  for (const [key, value] of Object.entries(patch)) merged[key] = mergePatch(merged[key], value, key);
  return merged;
}

function mergeLists(base: any[], patch: any[], key: string | undefined): any[] {
  if (key === undefined) return structuredClone(patch);
  const added = patch.filter((element) => !base.some((before) => before[key] === element[key]));
  const kept = base.map((before) =>
    mergePatch(
      before,
      patch.find((element) => element[key] === before[key]),
    ),
  );
  return [...structuredClone(added), ...kept];
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value: unknown;
}

/** A JSON patch (RFC 6902) with `add` and `replace` on members of objects. */
export function patchJson<T>(document: T, operations: readonly Operation[]): T {
  const patched = structuredClone(document);
  for (const { op, path, value } of operations) {
    const steps = path.split('/').slice(1);
    const last = steps.pop()!;
    const parent = steps.reduce<any>((part, step) => part[step], patched);
    if (op !== 'add' && op !== 'replace') throw new Error(`patch.ts knows no "${op}"`);
    if (Array.isArray(parent) || (op === 'replace' && !(last in parent)))
      throw new Error(`${op} ${path}: no such member`);
    parent[last] = value;
  }
  return patched;
}
