import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Engine } from '../engine.js'
import { validationError } from '../errors.js'

/** A folder that stands for a bucket of S3. The path of a file in it is the key of the object. */
export class Bucket {
  readonly folder: string

  constructor(root: string, name: string) {
    this.folder = join(root, name)
  }

  /** The file of an object. */
  pathOf(key: string): string {
    return join(this.folder, ...key.split('/'))
  }

  async exists(): Promise<boolean> {
    const found = await stat(this.folder).catch(() => undefined)
    return found?.isDirectory() ?? false
  }

  /** The keys that begin with a prefix, in order. */
  async keys(prefix: string): Promise<string[]> {
    // Only the last part of a prefix can be the beginning of a name.
    const within = prefix.slice(0, prefix.lastIndexOf('/') + 1)
    const folder = this.pathOf(within)
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    const files = entries.filter(entry => entry.isFile())
    const names = files.map(entry => join(entry.parentPath ?? entry.path, entry.name).slice(this.folder.length + 1))
    return names
      .map(name => name.split(sep).join('/'))
      .filter(key => key.startsWith(prefix.replace(/^\/+/, '')))
      .sort()
  }
}

/** The folder that the store was opened with. */
export function exportsFolder({ settings }: Engine, operation: string): string {
  if (settings.exportsFolder !== undefined) return settings.exportsFolder
  throw validationError(
    `${operation}: this store has no folder that stands for S3; open it with memory({ exports: './exports' }), ` +
      "disk(path, { exports: './exports' }) or edgewise serve --exports ./exports",
  )
}

/** A key is a path in the folder of its bucket, which it must not leave. */
export function checkPrefix(member: string, prefix: string | undefined): void {
  if (prefix === undefined) return
  const isPath = prefix.split('/').every(part => part !== '.' && part !== '..')
  if (!isPath || prefix.includes('\0') || (sep === '\\' && prefix.includes(sep)))
    throw validationError(
      `Invalid Request: ${member} '${prefix}' is not a path in a folder; leave out '.', '..' and '\\'`,
    )
}
