import { Resolver } from 'node:dns/promises';
import { loadConfig } from '../../shared/config.js';
import { detectPlatform } from '../../shared/websites/detect-platform.js';
import { normaliseDomain } from '../../shared/websites/normalise-domain.js';
import { AdminError, connectInstance } from './instance.js';
import { createProgram } from './program.js';

try {
  const { DATA_DIR } = loadConfig(process.env);
  const resolver = new Resolver();
  await createProgram({
    instance: connectInstance(DATA_DIR),
    print: (text) => console.log(text),
    detect(domain) {
      const normalised = normaliseDomain(domain);
      if ('problem' in normalised) throw new AdminError(`domain: ${normalised.problem}`);
      return detectPlatform(normalised.domain, { resolver });
    },
  }).parseAsync();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
