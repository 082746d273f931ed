import { parseAllDocuments } from 'yaml';

/** A Kubernetes object, as YAML holds it: what it should look like is what the checks are for. */
export interface Document {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [part: string]: any;
}

export function parseDocuments(text: string): Document[] {
  return parseAllDocuments(text, { uniqueKeys: true }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() as Document;
  });
}

/** "Deployment/api": how messages name an object. */
export function nameOf({ kind, metadata }: Document): string {
  return `${kind}/${metadata?.name}`;
}
