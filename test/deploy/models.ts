import ts from 'typescript';
import { type Document, nameOf } from './document.js';

/**
 * Checks documents against the models of Kubernetes, KEDA and the Prometheus operator. The models' own validation ignores unknown
 * fields; their types do not.
 */

const THIRD_PARTY: Record<string, string> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

function moduleOf({ apiVersion, kind }: Document): string {
  return `${THIRD_PARTY[apiVersion.split('/')[0]!] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
}

export async function validateModels(documents: readonly Document[]): Promise<string[]> {
  const problems: string[] = [];
  for (const document of documents) {
    const { [document.kind]: Model } = await importModel(document);
    try {
      new Model(document).validate();
    } catch (error) {
      problems.push(`${nameOf(document)}: ${(error as Error).message}`);
    }
  }
  return problems;
}

/** KEDA's model files lack the names that Node's ES module resolution needs, so their CommonJS index is imported. */
async function importModel(document: Document): Promise<any> {
  const specifier = moduleOf(document);
  return document.apiVersion.startsWith('keda.sh/')
    ? import(specifier.slice(0, specifier.lastIndexOf('/')))
    : import(specifier);
}

/** Compiles the documents as literals of their types, so that a misspelt field is an excess property. */
export function checkTypes(documents: readonly Document[]): string[] {
  const source = documents
    .map((document, index) => {
      const type = `import(${JSON.stringify(moduleOf(document))}).I${document.kind}`;
      return `const document${index}: ${type} = ${JSON.stringify(document)};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  };
  const file = 'test/deploy/documents.generated.ts';
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, `${source}\nexport {};`, ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  const checked = program.getSourceFile(file)!;
  return [...program.getSyntacticDiagnostics(checked), ...program.getSemanticDiagnostics(checked)].map(
    (diagnostic) => {
      const line = checked.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line;
      return `${nameOf(documents[line]!)}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`;
    },
  );
}
