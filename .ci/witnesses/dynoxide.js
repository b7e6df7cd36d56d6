import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { CACHE } from './cache.js'

/** The newest that npm has. */
const VERSION = '1.2.1'
const PACKAGE = `@dynoxide/${process.platform}-${process.arch}`
const HOME = `${CACHE}dynoxide-${VERSION}`

/** A reimplementation in Rust, fetched once from npm as a program for this platform. */
export const dynoxide = {
  name: 'dynoxide',
  variable: 'DYNOXIDE',
  missing: () => [],
  fetch() {
    if (!existsSync(HOME)) fetchInto(HOME)
  },
  command: port => ({ file: `${HOME}/node_modules/${PACKAGE}/dynoxide`, words: ['--port', `${port}`] }),
}

/** Appears under its name only when it is whole. */
function fetchInto(place) {
  const folder = `${place}-${process.pid}`
  mkdirSync(folder, { recursive: true })
  const words = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, `${PACKAGE}@${VERSION}`]
  const { status } = spawnSync('npm', words, { stdio: 'inherit' })
  if (status === 0 && !existsSync(place)) renameSync(folder, place)
  rmSync(folder, { recursive: true, force: true })
  if (status !== 0) throw new Error('npm could not fetch dynoxide')
}
