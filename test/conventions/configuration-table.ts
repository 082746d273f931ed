import { configSchema } from '../../shared/config.js';

/** The README's configuration table, one row for each variable of the schema. `readme.test.ts` holds the two together. */
export function configurationTable(): string[] {
  return Object.entries(configSchema.shape).map(([name, type]) => {
    const parsed = type.safeParse(undefined);
    const standard =
      parsed.success && parsed.data !== undefined && parsed.data !== '' ? `\`${parsed.data}\`` : '';
    return `| \`${name}\` | ${standard} | ${type.description ?? ''} |`;
  });
}
