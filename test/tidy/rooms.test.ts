import { describe, expect, it } from 'vitest'
import { forbiddenImports, importsOf, parsePackages } from './imports.js'
import { confusingFolders, leftOf, misdrawnRooms, parseRooms } from './rooms.js'

const draw = (...chains: string[]) => parseRooms(`Text.\n\n\`\`\`rooms\n${chains.join('\n')}\n\`\`\`\n`)
const rooms = draw('words <- port <- engine, (wire)', 'port <- index')
const packages = parsePackages('## Dependencies\n\n| package | rooms |\n|-|-|\n| `tree` | engine, wire |\n\n## Next\n')

describe('the drawing of rooms', () => {
  it('allows all that is left of a room, however far', () => {
    expect([...leftOf(rooms, 'engine')].sort()).toEqual(['port', 'words'])
    expect([...leftOf(rooms, 'words')]).toEqual([])
  })

  it('adds up what several lines draw', () => {
    expect([...leftOf(draw('a <- b', 'c <- b'), 'b')].sort()).toEqual(['a', 'c'])
  })

  it('is refused where it is missing or cannot be read', () => {
    expect(() => parseRooms('no block')).toThrow('no block of rooms is drawn')
    expect(() => draw('a <- b c')).toThrow('cannot read "b c" as a room')
    expect(() => draw('a <- (b)', 'a <- b')).toThrow('b is drawn both with brackets and without')
  })

  it('agrees with the folders, or says where not', () => {
    const built = ['src/words/a.ts', 'src/port/a.ts', 'src/engine/keys/a.ts', 'src/index.ts']
    expect(misdrawnRooms(rooms, built)).toEqual([])
    expect(misdrawnRooms(rooms, built.slice(1))).toEqual(['words is drawn, but is not there'])
    expect(misdrawnRooms(rooms, [...built, 'src/wire/a.ts'])).toEqual(['wire is drawn as later, but is there'])
    expect(misdrawnRooms(rooms, [...built, 'src/attic/a.ts'])).toEqual(['attic is not drawn'])
  })

  it('has no circle', () => {
    expect(misdrawnRooms(draw('a <- b <- a'), ['src/a/x.ts', 'src/b/x.ts'])).toHaveLength(2)
  })

  it('lends its names to no folder inside a room', () => {
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

  it('takes the room itself and those on the left, from any depth', () => {
    expect(check('src/engine/keys/a.ts', "import './b.js'\nimport '../c.js'\nimport '../../words/d.js'")).toEqual([])
  })

  it('refuses what is not in src, and the entry from inside', () => {
    expect(check('src/port/a.ts', "import '../../test/a.js'")).toHaveLength(1)
    expect(check('src/port/a.ts', "import '../index.js'")).toHaveLength(1)
  })

  it('takes a package only in the rooms that it is listed for, and what Node brings everywhere', () => {
    expect(check('src/engine/a.ts', "import 'tree'\nimport 'node:fs'")).toEqual([])
    expect(check('src/port/a.ts', "import 'tree'")).toEqual(['src/port/a.ts:1 imports tree, not listed for port'])
  })

  it('refuses an import whose place is computed', () => {
    expect(() => importsOf({ path: 'src/a.ts', text: 'await import(place)' })).toThrow('only running it would tell')
  })
})
