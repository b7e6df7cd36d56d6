import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A graph as in the documentation. */
export const CINEMA = `import { edge, graph, integer, node, string } from 'edgewise'

const movie = node('movie', { name: string(), year: integer() }, { id: 'name' })
const actor = node('actor', { name: string(), born: integer() }, { id: 'name' })
const role = edge('role', { movie, actor }, { character: string() })

export default graph('cinema', [movie, actor, role])
`

/** A folder with these files, deleted after the test. If a command is given, its package is installed there. */
export function projectWith(files: Readonly<Record<string, string>>, command?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-project-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  if (command === undefined) return folder
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(dirname(dirname(dirname(command))), join(folder, 'node_modules/edgewise'))
  return folder
}

/** A second copy of the command's package. */
export function installCopy(folder: string, command: string): void {
  const place = join(folder, 'node_modules/edgewise')
  const root = dirname(dirname(dirname(command)))
  cpSync(join(root, 'package.json'), join(place, 'package.json'))
  cpSync(join(root, 'dist'), join(place, 'dist'), { recursive: true })
}
