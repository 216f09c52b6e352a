const many = (text: string, times: number) => text.repeat(times)
const distinct = (count: number, first: number, write: (character: string) => string) =>
  Array.from({ length: count }, (_, i) => write(String.fromCodePoint(first + i))).join('')

/** Alternatives, each with a character of its own. */
const each = (count: number, write: (character: string) => string) =>
  `{${distinct(count, 0x4e00, (c) => `,${write(c)}`).slice(1)}}`

/** Two globs made to be hard to compare, within the limits of a request, and whether they intersect. */
export type HardPair = [what: string, a: string, b: string, intersect: boolean]

export const hardPairs: HardPair[] = [
  ['globstars', many('**/a/', 200), many('**/c/', 200), true],
  ['stars', many('*a', 510), `${many('*b', 510)}c`, false],
  ['a long run in a longer one', `*${many('a', 500)}b*`, many('a', 1020), false],
  ['a run with any characters', `*${many('?a', 240)}b*`, many('?a', 500), true],
  ['64 alternatives of runs', `*${many('{a,?}', 6)}aaaab*`, `${many('{a,?}', 6)}${many('a', 26)}`, false],
  ['64 alternatives on both sides', `${many('{a,b}', 6)}ccccccc`, `${many('{a,b}', 6)}dddddddd`, false],
  ['64 alternatives with stars', `*${many('{a,b}', 6)}c*d`, `*${many('{a,b}', 6)}e*f`, false],
  [
    '64 alternatives of brackets, 12 places each',
    `${many('{[ab],a}', 6)}${many('[abc]', 3)}c`,
    `${many('{[ab],b}', 6)}${many('[abc]', 3)}d`,
    false,
  ],
  ['brackets', `${many('[]a[]', 200)}b`, `${many('[]a[]', 200)}c`, false],
  ['brackets against stars', `${many('[]a[]', 200)}b`, `*${many('a]*', 150)}?[c]`, false],
  [
    'brackets of alternatives that end alike',
    `{a,b}${many('[]a[]', 190)}[bc]`,
    `${many('[]a[]', 100)}*${many('[]a[]', 90)}[de]`,
    false,
  ],
  [
    'long brackets against 64 alternatives',
    `{a,b}${many('{a,[ab]}', 5)}b[!x]`,
    `{a,b}${many('[abcdefghijklmnop]', 56)}b[x]`,
    false,
  ],
  ['lists of names that all meet', each(64, (c) => `?${c}aaaaaaaa/c`), each(64, (c) => `${c}?aaaaaaaa/d`), false],
  [
    'lists of paths that share nothing',
    `${each(32, (c) => `[!${c}]${c}`)}{**/a/,b/}[!a]`,
    `${each(64, (c) => `${c}${c}/${c}`)}**/?/**/?/[!a]`,
    false,
  ],
  [
    'lists of paths whose segments nearly all meet',
    `*a*a*a*a${each(64, (c) => `${c}?/?${c}?`)}/**/?/**/?/[!a]`,
    `{,b}{,c}${each(16, (c) => `[!${c}]*/*/?${c}/${c}?`)}*`,
    false,
  ],
  [
    'classes of two lists that nearly all meet',
    `[!a]${each(64, (c) => `[!${c}]/*`)}/*`,
    `[]a[][]a[][]a[]${each(64, (c) => `[!${c}]`)}/a`,
    false,
  ],
  [
    'names between brackets against classes around a star',
    `*[abcdefgh]${each(64, (c) => `?${c}/1${c}`)}[]a[][]a[]`,
    `[!a]*{,a}${each(32, (c) => `[!${c}]*/[!${c}]`)}[!a]`,
    false,
  ],
  [
    'names with and without a star at the end against classes around one',
    `?${each(32, (c) => `*${c}*a/1${c}`)}[]a[][]a[]{,*}`,
    `[!a]*{,a}${each(32, (c) => `[!${c}]*/[!${c}]`)}[!a]`,
    false,
  ],
  [
    'classes behind a character against classes in front of one',
    `aa[!x]${each(32, (c) => `${c}/?[!${c}]`)}{,*}`,
    `??????${each(32, (c) => `[!${c}]*/?[!${c}]/[${c}]`)}[abcdefgh]{,*}`,
    false,
  ],
  ['a class of two characters sixty times', many('[ab]', 60), many('[bc]', 60), true],
  ['many classes', `${distinct(170, 0x4e00, (c) => `*[${c}]`)}b`, `${distinct(170, 0x6e00, (c) => `*[${c}]`)}c`, false],
  ['long paths', `**/${many('?a/', 320)}c/**/d`, `${many('?a/', 320)}b`, true],
  ['paths of brackets', `**/${many('[ab]/', 190)}c/**/d/e`, `${many('[ac]/', 190)}b/?`, false],
  ['files all the way', `${many('**/a.b/', 140)}x.y`, `${many('**/a.b/', 140)}c/x.y`, false],
  ['below files', `**/${many('a.b/', 140)}c.d`, `${many('**/?.b/', 140)}q.d/z.c`, false],
  ['files between files', `**/${many('?.?/', 120)}qq.q/**/?.?/x.y`, `${many('?.?/', 250)}?z`, false],
  ['below a file at last', `**/${many('a.b/', 140)}q.d`, `${many('**/?.b/', 140)}q.d/z.c`, true],
]
