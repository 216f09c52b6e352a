export function makeSbom(root: string): string
