import { describe, expect, it } from 'vitest'
import { forbiddenImports, importsOf, parsePackages } from './imports.js'
import { confusingFolders, leftOf, misdrawnRooms, parseRooms } from './rooms.js'

const draw = (...chains: string[]) => parseRooms(`Text.\n\n\`\`\`rooms\n${chains.join('\n')}\n\`\`\`\n`)
const rooms = draw('words <- port <- engine, (wire)', 'port <- index')
const packages = parsePackages('## Dependencies\n\n| package | rooms |\n|-|-|\n| `tree` | engine, wire |\n\n## Next\n')

describe('the drawing of rooms', () => {
  it('allows every room to the left, at any distance', () => {
    expect([...leftOf(rooms, 'engine')].sort()).toEqual(['port', 'words'])
    expect([...leftOf(rooms, 'words')]).toEqual([])
  })

  it('combines several lines', () => {
    expect([...leftOf(draw('a <- b', 'c <- b'), 'b')].sort()).toEqual(['a', 'c'])
  })

  it('a missing or unreadable drawing of rooms is rejected', () => {
    expect(() => parseRooms('no block')).toThrow('no block of rooms is drawn')
    expect(() => draw('a <- b c')).toThrow('cannot read "b c" as a room')
    expect(() => draw('a <- (b)', 'a <- b')).toThrow('b is drawn both with brackets and without')
  })

  it('reports differences from the folders', () => {
    const built = ['src/words/a.ts', 'src/port/a.ts', 'src/engine/keys/a.ts', 'src/index.ts']
    expect(misdrawnRooms(rooms, built)).toEqual([])
    expect(misdrawnRooms(rooms, built.slice(1))).toEqual(['words is drawn, but is not there'])
    expect(misdrawnRooms(rooms, [...built, 'src/wire/a.ts'])).toEqual(['wire is drawn as later, but is there'])
    expect(misdrawnRooms(rooms, [...built, 'src/attic/a.ts'])).toEqual(['attic is not drawn'])
  })

  it('has no cycle', () => {
    expect(misdrawnRooms(draw('a <- b <- a'), ['src/a/x.ts', 'src/b/x.ts'])).toHaveLength(2)
  })

  it('does not share its names with folders inside a room', () => {
    expect(confusingFolders(rooms, ['src/engine/port/a.ts'])).toHaveLength(1)
    expect(confusingFolders(rooms, ['src/engine/ports/a.ts', 'src/engine/port.ts'])).toEqual([])
  })
})

describe('the check of imports', () => {
  const check = (path: string, text: string) => forbiddenImports(rooms, packages, { path, text })

  it.each([
    "import { a } from '../engine/a.js'",
    "import type { A } from '../engine/a.js'",
    "export * from '../engine/a.js'",
    "export { a } from '../engine/a.js'",
    "const a = await import('../engine/a.js')",
    "type A = import('../engine/a.js').A",
    "import a = require('../engine/a.js')",
  ])('refuses a room on the right by %j', text => {
    expect(check('src/port/a.ts', text)).toEqual(['src/port/a.ts:1 imports ../engine/a.js, not left of port'])
  })

  it('accepts the same room and rooms to the left, from any depth', () => {
    expect(check('src/engine/keys/a.ts', "import './b.js'\nimport '../c.js'\nimport '../../words/d.js'")).toEqual([])
  })

  it('rejects imports from outside src, and imports of the entry', () => {
    expect(check('src/port/a.ts', "import '../../test/a.js'")).toHaveLength(1)
    expect(check('src/port/a.ts', "import '../index.js'")).toHaveLength(1)
  })

  it('accepts a package only in its listed rooms, and modules of Node everywhere', () => {
    expect(check('src/engine/a.ts', "import 'tree'\nimport 'node:fs'")).toEqual([])
    expect(check('src/port/a.ts', "import 'tree'")).toEqual(['src/port/a.ts:1 imports tree, not listed for port'])
  })

  it('rejects an import with a computed path', () => {
    expect(() => importsOf({ path: 'src/a.ts', text: 'await import(place)' })).toThrow('only running it would tell')
  })
})
