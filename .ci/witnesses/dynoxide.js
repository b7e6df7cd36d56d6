import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { CACHE } from './cache.js'

/** The newest release on npm. */
const VERSION = '1.2.1'
const PACKAGE = `@dynoxide/${process.platform}-${process.arch}`
/** A release of the crate, for example 3.2.0, to build with cargo instead. It is newer, but takes minutes. */
const CRATE_VERSION = process.env.DYNOXIDE_CRATE
const HOME = `${CACHE}dynoxide-${CRATE_VERSION ?? VERSION}`
const PROGRAM = CRATE_VERSION === undefined ? `${HOME}/node_modules/${PACKAGE}/dynoxide` : `${HOME}/bin/dynoxide`

/** A reimplementation in Rust, downloaded once from npm for this platform, or built by cargo. */
export const dynoxide = {
  name: 'dynoxide',
  variable: 'DYNOXIDE',
  missing: () => [],
  fetch() {
    if (!existsSync(HOME)) fetchInto(HOME)
  },
  command: port => ({ file: PROGRAM, words: ['--port', `${port}`] }),
}

/** Renames the download to its final name after it is complete. */
function fetchInto(place) {
  const folder = `${place}-${process.pid}`
  mkdirSync(folder, { recursive: true })
  const [program, ...words] =
    CRATE_VERSION === undefined
      ? ['npm', 'install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, `${PACKAGE}@${VERSION}`]
      : ['cargo', 'install', 'dynoxide-rs', '--version', CRATE_VERSION, '--locked', '--root', folder]
  const { status } = spawnSync(program, words, { stdio: 'inherit' })
  if (status === 0 && !existsSync(place)) renameSync(folder, place)
  rmSync(folder, { recursive: true, force: true })
  if (status !== 0) throw new Error(`${program} could not fetch dynoxide`)
}
