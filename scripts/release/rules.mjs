/**
 * All versions are those of package.json, that of the tag too where there is one, and no migration needs a newer program.
 * @param {{ version: string, others: Record<string, string | undefined>, tag: string | undefined, least: string[] }} facts
 * @returns {string[]} what is wrong
 */
export function versionFaults({ version, others, tag, least }) {
  const named = tag === undefined ? others : { ...others, 'the tag': tag.replace(/^v/, '') }
  const different = Object.entries(named).filter(([, other]) => other !== version)
  const newer = least.filter((needed) => compare(needed, version) > 0)
  return [
    ...(/^\d+\.\d+\.\d+$/.test(version) ? [] : [`package.json has ${version}, which is no version of a release`]),
    ...different.map(([where, other]) => `${where} has ${other ?? 'no version'}, and package.json ${version}`),
    ...newer.map((needed) => `a migration needs Headsup ${needed}, and this is ${version}`),
  ]
}

/** @param {string} a @param {string} b @returns {number} */
function compare(a, b) {
  const [first, second] = [a, b].map((version) => version.split('.').map(Number))
  const at = first.findIndex((part, index) => part !== second[index])
  return at < 0 ? 0 : first[at] - second[at]
}

/**
 * The newest section is that of the version, with the day of its release, and nothing is unreleased.
 * @param {string} changelog @param {string} version @param {string} today such as `2026-11-28`
 * @returns {string[]}
 */
export function changelogFaults(changelog, version, today) {
  const sections = changelog.split(/^## /m).slice(1)
  const unreleased = sections.find((section) => /^\[?Unreleased/.test(section))
  const newest = sections.find((section) => section !== unreleased) ?? ''
  const [heading = ''] = newest.split('\n')
  const [, found, day = ''] = /^\[?([\d.]+)\]?(?: - (.*))?$/.exec(heading) ?? []
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))
  return [
    ...(unreleased?.split('\n').slice(1).join('').trim() ? ['CHANGELOG.md has unreleased changes'] : []),
    ...(found === version ? [] : [`CHANGELOG.md begins with "${heading}", and not with ## ${version} - ${today}`]),
    ...(found === version && !isDay ? [`CHANGELOG.md has no day for ${version}: ## ${version} - ${today}`] : []),
    ...(isDay && day > today ? [`CHANGELOG.md dates ${version} on ${day}, and today is ${today}`] : []),
  ]
}

/**
 * The tarball of the command line has these files, and its program runs.
 * @param {{ files: { path: string, mode: number }[], printed: string }} packed `printed`: by `headsup --version`, once it is installed
 * @param {string} version
 * @returns {string[]}
 */
export function tarballFaults({ files, printed }, version) {
  const paths = files.map(({ path }) => path).sort()
  const wanted = ['LICENSE', 'README.md', 'headsup.mjs', 'package.json']
  const program = files.find(({ path }) => path === 'headsup.mjs')
  return [
    ...(paths.join() === wanted.join() ? [] : [`the tarball has ${paths.join(', ')}, and not ${wanted.join(', ')}`]),
    ...(program && (program.mode & 0o111) === 0 ? ['headsup.mjs in the tarball may not be executed'] : []),
    ...(printed.includes(version) ? [] : [`headsup --version of the installed tarball prints "${printed}"`]),
  ]
}

/**
 * The SBOM is that of this version, and has each dependency with its hash.
 * @param {{ metadata?: { component?: { name?: string, version?: string } }, components?: { name: string, version: string, hashes?: unknown[] }[] }} sbom
 * @param {{ name: string, version: string, dependencies: Record<string, string> }} manifest
 * @returns {string[]}
 */
export function sbomFaults({ metadata, components = [] }, { name, version, dependencies }) {
  const described = `${metadata?.component?.name} ${metadata?.component?.version}`
  const missing = Object.entries(dependencies).filter(
    ([one, its]) => !components.some((component) => component.name === one && component.version === its),
  )
  const unhashed = components.filter(({ hashes }) => !hashes?.length)
  return [
    ...(described === `${name} ${version}` ? [] : [`the SBOM is that of ${described}, and not of ${name} ${version}`]),
    ...missing.map(([one, its]) => `the SBOM lacks ${one} ${its}`),
    ...unhashed.map((component) => `the SBOM has no hash of ${component.name}`),
  ]
}

/**
 * The steps of the image were run, and work.
 * @param {number | null} code of `npm run image-steps`
 * @returns {string[]}
 */
export function imageFaults(code) {
  return code === 0 ? [] : [`npm run image-steps ended with ${code}`]
}
