import { readOnly } from './engine-error.js';
import { tokens } from './sql-lexer.js';

/**
 * Functions that access data outside the engine's tables: files, other servers, programs, models. `readonly` refuses them
 * in FROM, but allows `file` and a few others as functions of a row. Lower case.
 */
const outside = new Set(
  `arrowstream catboostevaluate cluster clusterallreplicas cosn eval executable file filecluster filesystem gcs input
  jdbc mongodb mysql odbc oss postgresql prometheusquery prometheusqueryrange python redis remote remotesecure sqlite
  url urlcluster ytsaurus`.split(/\s+/),
);
/** Prefixes of functions with several variants; new versions of the engine add more. */
const families = ['ai', 'azureblobstorage', 'deltalake', 'hdfs', 'hudi', 'iceberg', 'paimon', 's3'];

/**
 * Checks only the statement: parameters are literals.
 * @throws EngineError 164 for a read that calls such a function, or that writes its answer to a file.
 */
export function refuseOutside(sql: string): void {
  let name = '';
  for (const { kind, start, end } of tokens(sql)) {
    if (kind === 'space' || kind === 'comment') continue;
    const text = sql.slice(start, end);
    if (text === '(' && isOutside(name)) throw readOnly(`a read must not call ${name}`);
    if (kind === 'word' && name === 'into' && text.toLowerCase() === 'outfile')
      throw readOnly('a read must not write its answer to a file');
    // A quoted name also calls a function.
    name =
      kind === 'word' ? text.toLowerCase() : kind === 'quotedName' ? text.slice(1, -1).toLowerCase() : '';
  }
}

function isOutside(name: string): boolean {
  return outside.has(name) || families.some((family) => name.startsWith(family));
}
