/**
 * Whether what git tells a `pre-push` hook on stdin (githooks, "pre-push") brings a branch anywhere: not where it only
 * deletes, or pushes tags. True where nothing is told, as by a hook that was installed before it was handed on.
 */
export function bringsBranch(input: string): boolean {
  const lines = input.split('\n').filter((line) => line.trim() !== '')
  const updates = lines.filter((line) => {
    const [, localId = '', remoteRef = ''] = line.split(' ')
    return remoteRef.startsWith('refs/heads/') && /[^0]/.test(localId)
  })
  return lines.length === 0 || updates.length > 0
}
