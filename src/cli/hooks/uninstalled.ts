/** A file from which our hooks were taken, if it had any. */
export interface Uninstalled {
  file: string
  isChanged: boolean
}

export function describeUninstalled({ file, isChanged }: Uninstalled): string {
  return `${file}: ${isChanged ? 'uninstalled' : 'not installed'}.`
}
