export function versionFaults(facts: {
  version: string
  others: Record<string, string | undefined>
  tag: string | undefined
  least: string[]
}): string[]
export function changelogFaults(changelog: string, version: string, today: string): string[]
export function tarballFaults(
  packed: { files: { path: string; mode: number }[]; printed: string },
  version: string,
): string[]
export function sbomFaults(
  sbom: {
    metadata?: { component?: { name?: string; version?: string } }
    components?: { name: string; version: string; hashes?: unknown[] }[]
  },
  manifest: { name: string; version: string; dependencies: Record<string, string> },
): string[]
export function imageFaults(code: number | null): string[]
