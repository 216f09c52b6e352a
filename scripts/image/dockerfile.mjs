import { readFileSync } from 'node:fs'

/**
 * The stages of a Dockerfile as far as this project uses its language. Throws where there is anything else, so that a change is
 * not left out silently.
 * @param {string} file
 * @returns {{ name: string | undefined, steps: { name: string, text: string }[] }[]}
 */
export function readStages(file) {
  const lines = readFileSync(file, 'utf8').replaceAll('\\\n', ' ').split('\n')
  const known = ['ARG', 'FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'CMD']
  const stages = []
  for (const line of lines) {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(text) ?? []
    if (!known.includes(name)) throw new Error(`Not known here: ${text}`)
    if (name === 'FROM') stages.push({ name: / AS (\S+)$/i.exec(rest)?.[1], steps: [] })
    else if (name !== 'ARG') stages.at(-1)?.steps.push({ name, text: rest })
  }
  return stages
}

/**
 * Whether `.dockerignore` lets this file of the context through: an allow-list below `*`, and then exceptions from it.
 * @param {string} ignoreFile
 * @returns {(path: string) => boolean}
 */
export function readIgnored(ignoreFile) {
  const lines = readFileSync(ignoreFile, 'utf8').split('\n')
  const rules = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  const covers = (rule, path) => rule === '*' || path === rule || path.startsWith(`${rule}/`)
  return (path) => {
    const last = rules.findLast((rule) => covers(rule.replace(/^!/, ''), path))
    return last === undefined || last.startsWith('!')
  }
}
