import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { CommandFailure } from '../command-failure.js'
import { toFolderFailure } from '../files/file-failures.js'
import type { JsonOption } from '../options.js'
import { readManifest } from '../package-files.js'
import { paint, print, printJson } from '../terminal/output.js'
import { GITIGNORE_FILE, GRAPH_FILE, MAIN_FILE, projectSettings } from './project-files.js'

/** Writes a project into a folder, either completely or not at all. */
export async function initCommand(folder: string, { json }: JsonOption): Promise<void> {
  const path = resolve(folder)
  if (existsSync(path) && !statSync(path).isDirectory())
    throw new CommandFailure(`${folder}: this is a file; give the name of a folder.`)
  const files = projectFilesOf(basename(path))
  const existing = Object.keys(files).filter(name => existsSync(join(path, name)))
  if (existing.length > 0)
    throw new CommandFailure(
      `${folder}: the folder already contains ${existing.join(', ')}, so nothing was written; give another folder.`,
    )
  try {
    mkdirSync(path, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text, { flag: 'wx' })
  } catch (error) {
    throw toFolderFailure(folder, error as Error)
  }
  const next = `${folder === '.' ? '' : `cd ${quoteForShell(folder)} && `}npm install && npm start`
  if (json) printJson({ folder: path, files: Object.keys(files), next })
  else print(`Wrote ${Object.keys(files).join(', ')}.`, `Next:\n  ${paint('cyan', next)}`)
}

function projectFilesOf(name: string): Record<string, string> {
  const { manifest, compiler } = projectSettings(toPackageName(name), readManifest().version)
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(compiler, null, 2)}\n`,
    '.gitignore': GITIGNORE_FILE,
    'graph.ts': GRAPH_FILE,
    'main.ts': MAIN_FILE,
  }
}

/** Removes characters that npm does not accept. */
const toPackageName = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'graph'

/** Quotes a path for a shell. */
const quoteForShell = (folder: string) => (/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`)
