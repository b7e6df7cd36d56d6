import { posix } from 'node:path'
import type { Node } from 'oxc-parser'
import type { TextFile } from './files.js'
import { leftOf, type Rooms, roomOf } from './rooms.js'
import { parse, walk } from './syntax.js'

/** The packages that ARCHITECTURE.md allows, each with the rooms that may import it. */
export type Packages = ReadonlyMap<string, readonly string[]>

/** Reads the table under "Dependencies", whose first two columns are the package and its rooms. */
export function parsePackages(markdown: string): Packages {
  const section = /^## Dependencies$([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(markdown)
  if (!section) throw new Error('no dependencies are listed')
  const rows = section[1]!.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)
  return new Map(Array.from(rows, ([, name, rooms]) => [name!, rooms!.split(',').map(room => room.trim())]))
}

/** Imports of a file in `src` that the drawing does not allow. */
export function forbiddenImports(rooms: Rooms, packages: Packages, file: TextFile): string[] {
  const room = roomOf(file.path)
  const allowed = leftOf(rooms, room).add(room)
  return importsOf(file).flatMap(({ source, line }) => {
    const where = `${file.path}:${line} imports ${source}`
    if (source.startsWith('node:')) return []
    if (!source.startsWith('.')) return packages.get(source)?.includes(room) ? [] : [`${where}, not listed for ${room}`]
    const target = posix.join(posix.dirname(file.path), source)
    if (!target.startsWith('src/')) return [`${where}, outside of src`]
    return allowed.has(roomOf(target)) ? [] : [`${where}, not left of ${room}`]
  })
}

export function importsOf(file: TextFile): { source: string; line: number }[] {
  const found: { source: string; line: number }[] = []
  const { program, lineOf } = parse(file)
  walk(program, node => {
    const source = sourceOf(node)
    if (source === undefined) return
    if (source?.type !== 'Literal' || typeof source.value !== 'string') {
      throw new Error(`${file.path}:${lineOf(node.start)} imports what only running it would tell`)
    }
    found.push({ source: source.value, line: lineOf(node.start) })
  })
  return found
}

function sourceOf(node: Node): Node | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return node.source
    case 'ExportNamedDeclaration':
      return node.source ?? undefined
    case 'TSExternalModuleReference':
      return node.expression
    default:
      return undefined
  }
}
