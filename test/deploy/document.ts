import { parseAllDocuments } from 'yaml';

/** A Kubernetes object as parsed from YAML. The checks verify its content. */
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

/** "Deployment/api": the name of an object in messages. */
export function nameOf({ kind, metadata }: Document): string {
  return `${kind}/${metadata?.name}`;
}
