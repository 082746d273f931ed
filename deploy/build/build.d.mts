export function build(root: string): Promise<boolean>;
export function isBuilt(root: string): boolean;
