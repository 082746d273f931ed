import { configSchema } from '../../shared/config.js';

/** One row for each variable of the schema, as in the tables of docs/configuration.md. `documents.test.ts` compares the two. */
export function configurationTable(): string[] {
  return Object.entries(configSchema.shape).map(([name, type]) => {
    const parsed = type.safeParse(undefined);
    const standard =
      parsed.success && parsed.data !== undefined && parsed.data !== '' ? `\`${parsed.data}\`` : '';
    return `| \`${name}\` | ${standard} | ${type.description ?? ''} |`;
  });
}
