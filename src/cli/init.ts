import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { Failure } from './failure.js'
import { manifest } from './installed.js'
import type { JsonOption } from './options.js'
import { paint, print, printJson } from './output.js'
import { GRAPH, IGNORED, MAIN, settings } from './project-files.js'

/** Writes a project into a folder, whole or not at all. */
export async function initCommand(folder: string, { json }: JsonOption): Promise<void> {
  const path = resolve(folder)
  if (existsSync(path) && !statSync(path).isDirectory())
    throw new Failure(`${folder} is a file: give the name of a folder`)
  const files = filesOf(basename(path))
  const there = Object.keys(files).filter(name => existsSync(join(path, name)))
  if (there.length > 0)
    throw new Failure(`${folder} already contains ${there.join(', ')}; nothing was written, give another folder`)
  try {
    mkdirSync(path, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text, { flag: 'wx' })
  } catch (error) {
    throw new Failure(`${folder} cannot be written: ${(error as Error).message}`)
  }
  const next = `${folder === '.' ? '' : `cd ${quoted(folder)} && `}npm install && npm start`
  if (json) printJson({ folder: path, files: Object.keys(files), next })
  else print(`Wrote ${Object.keys(files).join(', ')}.`, `Next:\n  ${paint('cyan', next)}`)
}

function filesOf(name: string): Record<string, string> {
  const { manifest: made, compiler } = settings(packageName(name), manifest().version)
  return {
    'package.json': `${JSON.stringify(made, null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(compiler, null, 2)}\n`,
    '.gitignore': IGNORED,
    'graph.ts': GRAPH,
    'main.ts': MAIN,
  }
}

/** npm takes only some characters. */
const packageName = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'graph'

/** As a shell takes it. */
const quoted = (folder: string) => (/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`)
