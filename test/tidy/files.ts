import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A file of the repository, by its path from the root with slashes. */
export interface TextFile {
  readonly path: string
  readonly text: string
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** What .gitignore leaves out, and git's own folder: a clone without git is tested too. */
const IGNORED = /(?:^|\/)(?:\.git|node_modules|dist|build|coverage)(?:\/|$)|\.(?:tgz|log)$/

export function repositoryFiles(): TextFile[] {
  return paths('').map(path => ({ path, text: readFileSync(ROOT + path, 'utf8') }))
}

function paths(folder: string): string[] {
  return readdirSync(ROOT + folder, { withFileTypes: true }).flatMap(entry => {
    const path = folder + entry.name
    if (IGNORED.test(path)) return []
    if (entry.isDirectory()) return paths(`${path}/`)
    return entry.isFile() ? [path] : []
  })
}

export function lineCount(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
