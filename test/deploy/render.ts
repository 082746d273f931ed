import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Document, parseDocuments } from './document.js';
import { mergePatch, patchJson } from './patch.js';

/**
 * `kustomize build` for the parts of it that deploy/kubernetes uses, so that the manifests are checked as they get applied
 * where the binary is missing. An unknown part throws. Generated names go without kustomize's hash.
 */
export function render(folder: string): Document[] {
  const { apiVersion: _, kind: __, ...kustomization } = parse(read(folder, 'kustomization.yaml'));
  let documents: Document[] = (kustomization.resources as string[]).flatMap((resource) => {
    const path = join(folder, resource);
    return statSync(path).isDirectory() ? render(path) : parseDocuments(readFileSync(path, 'utf8'));
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
      const [name, tag] = container.image.split(':');
      const image = images.find((candidate) => candidate.name === name);
      if (image === undefined) continue;
      container.image = [image.newName ?? name, image.newTag ?? tag].filter(Boolean).join(':');
    }
    return documents;
  },
};

function generate(documents: Document[], generator: any, folder: string): Document[] {
  const lines = (generator.envs as string[]).flatMap((file) => read(folder, file).split('\n'));
  const data = Object.fromEntries(
    lines
      .filter((line) => line.trim() !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  if (generator.behavior !== 'merge') {
    return [...documents, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: generator.name }, data }];
  }
  const generated = documents.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === generator.name,
  );
  Object.assign(generated!.data, data);
  return documents;
}

function applyPatch(documents: Document[], { path, patch: inline, target }: any, folder: string): Document[] {
  const patch = parse(inline ?? read(folder, path));
  const isTarget = ({ kind, metadata }: Document) =>
    kind === target.kind && (target.name === undefined || metadata.name === target.name);
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

/** The command that builds a kustomization here: KUSTOMIZE, `kustomize` or `kubectl kustomize`; absent: none. */
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

/** What the real program makes of the folder. */
export function build([program, ...args]: string[], folder: string): Document[] {
  return parseDocuments(execFileSync(program!, [...args, folder], { encoding: 'utf8' }));
}
