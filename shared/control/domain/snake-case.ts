/** Fields are camelCase in the code and snake_case wherever people or programs outside meet them. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
