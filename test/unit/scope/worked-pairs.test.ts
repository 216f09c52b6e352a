import { describe, expect, it } from 'vitest'
import { globsMeet } from '../../../src/scope/glob-meet.ts'
import { meetingPath } from '../../../src/scope/glob-witness.ts'
import { read } from './read.ts'

/** The worked pairs of the dialect: two globs, and the example path that both match, or null. */
const pairs: [string, string, string | null][] = [
  ['src/*/a.ts', 'src/b/*.ts', 'src/b/a.ts'],
  ['src', '**/*.ts', 'src/a.ts'],
  ['src/auth', 'src/*/login.ts', 'src/auth/login.ts'],
  ['src/{a/b,c}/x.rs', 'src/c/*.rs', 'src/c/x.rs'],
  ['app/[id]/page.tsx', 'app/[id]/page.tsx', 'app/[id]/page.tsx'],
  ['app/[id]', 'app/[id]/page.tsx', 'app/[id]/page.tsx'],
  ['pages/[id].*', 'pages/[id].tsx', 'pages/[id].tsx'],
  ['src/**/a.ts', 'src/a.ts', 'src/a.ts'],
  ['src/?b.ts', 'src/c*.ts', 'src/cb.ts'],
  ['**.md', 'README.md', 'README.md'],
  ['./src/a.ts', '/src/a.ts', 'src/a.ts'],
  ['.github/**', '**/*.yml', '.github/a.yml'],
  ['packages/*/', 'packages/a/src/x.ts', 'packages/a/src/x.ts'],
  ['packages/socket.io', 'packages/socket.io/lib/*.ts', 'packages/socket.io/lib/a.ts'],
  ['app/[...slug]', '**/page.tsx', 'app/[...slug]/page.tsx'],
  ['app/[user-id]/a.ts', 'app/*/a.ts', 'app/[user-id]/a.ts'],
  ['src/a{,b}/**', 'src/ab/c', 'src/ab/c'],
  ['src/*.ts', 'src/*.css', null],
  ['src/{a,b}.ts', 'src/{c,d}.ts', null],
  ['src/[ab].ts', 'src/[cd].ts', null],
  ['README.md', 'docs/README.md', null],
  ['README.md', '**/*.ts', null],
  ['package.json', '*/package.json', null],
  ['*.md', 'docs/a.md', null],
  ['*', 'src/**', null],
  ['packages/*', 'packages/a/src/x.ts', null],
  ['packages/*', 'packages/a/**', null],
  ['src/app/**', 'src/application/**', null],
  ['src/A.ts', 'src/a.ts', null],
]

describe.each([
  ['as written', pairs],
  ['the other way round', pairs.map(([a, b, path]): (typeof pairs)[number] => [b, a, path])],
])('the worked pairs of the dialect, %s', (_, rows) => {
  it.each(rows)('%s and %s: %s', (a, b, path) => {
    expect(globsMeet(read(a), read(b))).toBe(path !== null)
    expect(meetingPath(read(a), read(b))).toBe(path)
  })
})
