// Copies what tsc leaves behind (SQL, Avro schemas, data files, the engine's settings) into dist, beside the code that reads it.
import { cpSync, statSync } from 'node:fs';
import { extname } from 'node:path';

const assets = new Set(['.sql', '.avsc', '.json', '.txt', '.gz', '.xml']);
for (const folder of ['shared', 'services', 'deploy']) {
  cpSync(folder, `dist/${folder}`, {
    recursive: true,
    filter: (source) => statSync(source).isDirectory() || assets.has(extname(source)),
  });
}
