import { readFileSync } from 'node:fs';
import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } from 'kafkajs';

/** The rights of each login, from the table of docs/install.md, "Users of the stores". */

const OPERATIONS: Record<string, AclOperationTypes> = {
  W: AclOperationTypes.WRITE,
  R: AclOperationTypes.READ,
  D: AclOperationTypes.DESCRIBE,
  C: AclOperationTypes.CREATE,
};

export interface LoginRight {
  readonly login: string;
  readonly resource: { readonly kind: 'topic' | 'group'; readonly name: string };
  readonly letter: string;
}

export function rightsOfLogins(): LoginRight[] {
  const page = readFileSync('docs/install.md', 'utf8');
  const table = page.slice(page.indexOf('| login |')).split('\n\n', 1)[0]!;
  const [head, , ...rows] = table.split('\n').map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return rows.flatMap(([login, ...cells]) =>
    cells.flatMap((cell, column) => {
      const title = head![column + 1]!;
      const resource = {
        kind: title.startsWith('group') ? ('group' as const) : ('topic' as const),
        name: /`([^`]+)`/.exec(title)![1]!,
      };
      const letters = cell.split(', ').filter((letter) => letter !== '');
      return letters.map((letter) => ({ login: login!.replaceAll('`', ''), resource, letter }));
    }),
  );
}

export function toAcl({ login, resource, letter }: LoginRight) {
  return {
    resourceType: resource.kind === 'topic' ? AclResourceTypes.TOPIC : AclResourceTypes.GROUP,
    resourceName: resource.name,
    resourcePatternType: ResourcePatternTypes.LITERAL,
    principal: `User:${login}`,
    host: '*',
    operation: OPERATIONS[letter]!,
    permissionType: AclPermissionTypes.ALLOW,
  };
}
