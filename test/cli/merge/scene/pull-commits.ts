import type { ServerCommit } from './import-stream.ts'

const numbered = (changes: Record<number, string> = {}) =>
  Array.from({ length: 20 }, (_, index) => `${changes[index + 1] ?? `line ${index + 1}`}\n`).join('')
const link = (content: string) => ({ mode: '120000', content })
const pull = (number: number, commit: Omit<ServerCommit, 'ref' | 'from'>): ServerCommit => ({
  ref: `refs/pull/${number}/head`,
  from: 'refs/heads/old',
  ...commit,
})

/** Each pull request is one case. `old` is what clones have, `main` is one commit further. */
export function pullCommits(idLength = 40): ServerCommit[] {
  const submodule = (digit: string) => ({ mode: '160000', content: digit.repeat(idLength) })
  return [
    {
      ref: 'refs/heads/old',
      files: {
        ...Object.fromEntries(
          ['a.txt', 'b.txt', 'removed.txt', 'renamed.txt', 'both.txt', 'main.txt', 'new\nline.txt', 'big.txt'].map(
            (path) => [path, numbered()],
          ),
        ),
        'logo.png': Buffer.from('a\0b'),
        'data.bin': 'one\n',
        'crlf.txt': numbered(),
        link: link('a.txt'),
        'dir/file.txt': numbered(),
        library: submodule('1'),
      },
    },
    {
      ref: 'refs/heads/main',
      from: 'refs/heads/old',
      files: { 'main.txt': numbered({ 10: 'main' }), 'other.txt': 'x\n' },
    },
    { ref: 'refs/heads/feat/x', from: 'refs/heads/old', files: { 'a.txt': numbered({ 5: 'branch' }) } },
    // 1 and 2 change a.txt, in the same and in another place.
    pull(1, { files: { 'a.txt': numbered({ 5: 'theirs' }) } }),
    pull(2, { files: { 'a.txt': numbered({ 15: 'theirs' }) } }),
    pull(3, { files: { 'removed.txt': null } }),
    pull(4, { files: { 'logo.png': Buffer.from('a\0theirs') } }),
    pull(5, { files: { 'added.txt': 'theirs\n' } }),
    pull(6, { files: {}, renames: { 'both.txt': 'both-theirs.txt' } }),
    pull(7, {
      files: { 'renamed-theirs.txt': numbered({ 5: 'theirs' }) },
      renames: { 'renamed.txt': 'renamed-theirs.txt' },
    }),
    pull(8, { files: { place: 'a file\n' } }),
    pull(9, { files: { 'new\nline.txt': numbered({ 5: 'theirs' }) } }),
    pull(10, { files: { link: link('theirs') } }),
    pull(11, { files: { library: submodule('2') } }),
    // It conflicts with main alone.
    pull(12, { files: { 'main.txt': numbered({ 10: 'theirs' }), 'b.txt': numbered({ 5: 'theirs' }) } }),
    pull(13, { files: { 'crlf.txt': numbered({ 5: 'theirs' }) } }),
    pull(14, { files: { 'data.bin': 'theirs\n' } }),
    // Hostile: drivers, a filter, a submodule whose address is an option.
    pull(15, {
      files: {
        '.gitattributes': '* merge=evil filter=evil diff=evil\n',
        '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = -u./payload\n',
        x: submodule('3'),
        'a.txt': numbered({ 5: 'theirs' }),
      },
    }),
    // Some kilobytes at the server.
    pull(16, { files: { 'big.txt': `${numbered({ 5: 'theirs' })}${'0'.repeat(3_000_000)}\n` } }),
    pull(18, { files: {}, renames: { 'dir/file.txt': 'moved/file.txt' } }),
    // Nothing in common.
    { ref: 'refs/pull/17/head', files: { 'a.txt': 'unrelated\n' } },
  ]
}
