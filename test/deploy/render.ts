import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Document, parseDocuments } from './document.js';
import { mergePatch, patchJson } from './patch.js';

/**
 * The parts of `kustomize build` that deploy/kubernetes uses, so that rendered manifests are checked without the binary. An unknown part
 * throws. Generated names end with a hash as in kustomize, but with another value.
 */
export function render(folder: string): Document[] {
  return withHashes(assemble(folder));
}

/** Without hashes, because they depend on the content after the last overlay. */
function assemble(folder: string): Document[] {
  const { apiVersion: _, kind: __, ...kustomization } = parse(read(folder, 'kustomization.yaml'));
  let documents: Document[] = (kustomization.resources as string[]).flatMap((resource) => {
    const path = join(folder, resource);
    return statSync(path).isDirectory() ? assemble(path) : parseDocuments(readFileSync(path, 'utf8'));
  });
  for (const part of Object.keys(kustomization)) {
    if (!(part in STEPS) && part !== 'resources') throw new Error(`${folder}: render.ts knows no "${part}"`);
  }
  for (const [part, step] of Object.entries(STEPS)) {
    if (kustomization[part] !== undefined) documents = step(documents, kustomization[part], folder);
  }
  return documents;
}

type Step = (documents: Document[], value: any, folder: string) => Document[];

/** In kustomize's own order. */
const STEPS: Record<string, Step> = {
  configMapGenerator: (documents, generators: any[], folder) =>
    generators.reduce((all, generator) => generate(all, generator, folder), documents),
  patches: (documents, patches: any[], folder) =>
    patches.reduce((all, patch) => applyPatch(all, patch, folder), documents),
  namespace(documents, namespace: string) {
    for (const { kind, metadata } of documents) {
      if (kind !== 'Namespace') Object.assign(metadata, { namespace });
    }
    return documents;
  },
  nameSuffix(documents, suffix: string) {
    for (const { metadata } of documents) metadata.name += suffix;
    return documents;
  },
  replicas(documents, wanted: { name: string; count: number }[]) {
    for (const { name, count } of wanted) {
      const found = documents.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name);
      if (found === undefined) throw new Error(`replicas: no Deployment ${name}`);
      found.spec.replicas = count;
    }
    return documents;
  },
  images(documents, images: { name: string; newName?: string; newTag?: string }[]) {
    for (const container of documents.flatMap(({ spec }) => spec?.template?.spec?.containers ?? [])) {
      if (container.image.includes('@')) continue;
      const [name, tag] = container.image.split(':');
      const image = images.find((candidate) => candidate.name === name);
      if (image === undefined) continue;
      container.image = [image.newName ?? name, image.newTag ?? tag].filter(Boolean).join(':');
    }
    return documents;
  },
};

function generate(documents: Document[], generator: any, folder: string): Document[] {
  const { name, behavior, envs = [], files = [], options = {} } = generator;
  const pair = (line: string) =>
    [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const;
  const lines = (envs as string[]).flatMap((file) => read(folder, file).split('\n'));
  const data = Object.fromEntries([
    ...lines.filter((line) => line.trim() !== '' && !line.startsWith('#')).map(pair),
    ...(files as string[]).map(pair).map(([key, file]) => [key, read(folder, file)]),
  ]);
  if (behavior !== 'merge') {
    const hashed = options.disableNameSuffixHash !== true;
    return [...documents, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data, hashed }];
  }
  const generated = documents.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
  Object.assign(generated!.data, data);
  return documents;
}

/** Generated ConfigMaps are named by their content, and references follow. So a changed setting restarts the pods. */
function withHashes(documents: Document[]): Document[] {
  const names = new Map(
    documents
      .filter(({ hashed }) => hashed)
      .map(({ metadata: { name }, data }) => {
        const hash = createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 10);
        return [name, `${name}-${hash}`];
      }),
  );
  const renamed = (value: any, field: string): any => {
    if (Array.isArray(value)) return value.map((member) => renamed(member, field));
    if (value === null || typeof value !== 'object') return value;
    const members = Object.entries(value).map(([key, member]) => [key, renamed(member, key)]);
    const copy = Object.fromEntries(members);
    if (['configMapRef', 'configMap', 'configMapKeyRef'].includes(field))
      copy.name = names.get(copy.name) ?? copy.name;
    return copy;
  };
  return documents.map(({ hashed, ...document }) => {
    const copy = renamed(document, '');
    if (hashed) copy.metadata.name = names.get(copy.metadata.name);
    return copy;
  });
}

function applyPatch(documents: Document[], { path, patch: inline, target }: any, folder: string): Document[] {
  const patch = parse(inline ?? read(folder, path));
  const isTarget = ({ kind, metadata }: Document) =>
    kind === target.kind &&
    // A pattern for the whole name, as in kustomize.
    (target.name === undefined || new RegExp(`^(?:${target.name})$`).test(metadata.name));
  if (!documents.some(isTarget))
    throw new Error(`${folder}: a patch meets nothing: ${JSON.stringify(target)}`);
  if (patch.$patch === 'delete') return documents.filter((document) => !isTarget(document));
  return documents.map((document) => {
    if (!isTarget(document)) return document;
    if (Array.isArray(patch)) return patchJson(document, patch);
    const { apiVersion, kind, metadata } = document;
    return { ...mergePatch(document, { ...patch, metadata: undefined }), apiVersion, kind, metadata };
  });
}

function read(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8');
}

/** The command that builds a kustomization on this machine: KUSTOMIZE, `kustomize` or `kubectl kustomize`; undefined: none. */
export function findKustomize(): string[] | undefined {
  const candidates = [
    [process.env.KUSTOMIZE ?? 'kustomize', 'build'],
    ['kubectl', 'kustomize'],
  ];
  return candidates.find(([program, ...args]) => {
    try {
      execFileSync(program!, [...args, '--help'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

/** The output of the real program for the folder. */
export function build([program, ...args]: string[], folder: string): Document[] {
  return parseDocuments(execFileSync(program!, [...args, folder], { encoding: 'utf8' }));
}
