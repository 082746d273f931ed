import { Resolver } from 'node:dns/promises';
import pino from 'pino';
import { loadConfig } from '../../shared/config.js';
import { openFileStore } from '../../shared/files/open-file-store.js';
import { detectPlatform } from '../../shared/platforms/detect-platform.js';
import { openEventLog } from '../../shared/service/open-event-log.js';
import { publicUrls } from '../../shared/service/public-urls.js';
import { normaliseDomain } from '../../shared/urls/normalise-domain.js';
import { AdminError } from './instance/instance.js';
import { openControlLog } from './instance/open-control-log.js';
import { openInstance } from './open-instance.js';
import { createProgram } from './program.js';
import { openResumable } from './resume/open-resumable.js';

try {
  const config = loadConfig(process.env);
  // Standard output is for answers, and each failure has its own line there.
  const level = process.env.LOG_LEVEL ? config.LOG_LEVEL : 'silent';
  const standardError = pino.destination({ dest: 2, sync: true });
  const logger = pino({ level }, standardError);
  // With Kafka, this process runs the command, so only this process can log who ran it.
  const audit = pino({ level: 'info', name: 'admin' }, standardError);
  const instance = openInstance(config, logger, audit);
  const resolver = new Resolver();
  try {
    await createProgram({
      instance,
      print: (text) => console.log(text),
      urls: publicUrls(config),
      servesConsole: config.CONSOLE,
      openKafkaLog: config.KAFKA_BROKERS === undefined ? null : () => openEventLog(config, logger),
      openLog: () => openControlLog(config, logger),
      openResumable: () => openResumable(config, logger),
      openFiles: () => openFileStore(config, { base: publicUrls(config).base, now: Date.now }),
      detect(domain) {
        const normalised = normaliseDomain(domain);
        if ('problem' in normalised) throw new AdminError(`domain: ${normalised.problem}`);
        return detectPlatform(normalised.domain, { resolver });
      },
    }).parseAsync();
  } finally {
    await instance.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
