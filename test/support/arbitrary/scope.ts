import fc from 'fast-check'

/** Settings that give paths to areas. The scopes below name some of these areas. */
export const areaMap = { core: ['src/core/**', '**/*.core.ts'], web: ['web/**', 'web/b.ts'] }

const segment = fc.constantFrom(
  'src',
  'web',
  'core',
  'a',
  'b.ts',
  'a.core.ts',
  'Makefile',
  '*',
  '*.ts',
  '**',
  '?',
  '[id]',
  '{a,b}',
  '{src,web/core}',
  'a*',
  '*.core.ts',
  '😀',
  'ü.ts',
)
const glob = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
/** Small scopes that overlap one another in many ways. */
export const scope = fc.record({
  areas: fc.array(fc.constantFrom('core', 'CORE', 'web', 'other'), { maxLength: 2 }),
  paths: fc.array(glob, { maxLength: 3 }),
})
