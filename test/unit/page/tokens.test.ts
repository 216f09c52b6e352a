import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { style } from '../../../src/service/api/http/docs/base-style.ts'
import { docsStyle } from '../../../src/service/api/http/docs/docs-style.ts'

const folder = new URL('../../../src/page/', import.meta.url).pathname
const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))
const styles: [string, string][] = [
  ...sheets.map((file): [string, string] => [file, readFileSync(join(folder, file), 'utf8')]),
  ['/docs', docsStyle],
  ['the set-up page', style],
]

/** The values of these properties, in px. A length within `calc` places something in the middle, and is no space. */
function lengths(css: string, property: RegExp): string[] {
  const values = css.matchAll(/(?<=[\s{;])([a-z-]+):\s*([^;{}]+)/g)
  const found = [...values].filter(([, name = '']) => property.test(name))
  return found.flatMap(([, , value = '']) =>
    [...value.replace(/calc\([^)]*\)/g, '').matchAll(/(-?[\d.]+)(px|rem|em)\b/g)].map(([text, number, unit]) =>
      unit === 'em' ? text : `${Math.abs(Number(number)) * (unit === 'rem' ? 16 : 1)}`,
    ),
  )
}

const others = (found: readonly string[], tokens: readonly number[]) =>
  found.filter((one) => one !== '0' && !tokens.includes(Number(one)))

it.each(styles)('%s has the sizes, weights, spaces and corners of all pages alone', (_, css) => {
  expect(others(lengths(css, /^font(-size)?$/), [12, 13, 14, 16, 20])).toEqual([])
  expect(others(lengths(css, /^(margin|padding|gap|column-gap|row-gap)(-[a-z]+)?$/), [4, 8, 12, 16, 24])).toEqual([])
  expect(others(lengths(css, /^border-radius$/), [4, 8, 12])).toEqual([])
  const weights = [...css.matchAll(/font-weight:\s*([^;}\s]+)|font:\s*(\d{3})\b/g)].map(
    ([, one, other]) => one ?? other,
  )
  expect(weights.filter((weight) => !/^(400|600|inherit)$/.test(weight ?? ''))).toEqual([])
})
