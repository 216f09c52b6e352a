export function readStages(file: string): { name: string | undefined; steps: { name: string; text: string }[] }[]
export function readIgnored(ignoreFile: string): (path: string) => boolean
