import module from 'node:module'
import { join } from 'node:path'
import { findOwnFile } from '../../../store/own-file.js'

type Lmdb = typeof import('lmdb')

/** Loads the optional peer dependency `lmdb`, from the installation of edgewise or from the working directory. */
export function loadLmdb(): Lmdb {
  const places = [findOwnFile(), join(process.cwd(), 'package.json')].filter(place => place !== undefined)
  for (const place of places) {
    try {
      // `import('lmdb')` would make bundlers include lmdb and its binaries, and fail.
      return module.createRequire(place)('lmdb') as Lmdb
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException
      if (code !== 'MODULE_NOT_FOUND')
        throw new Error(`disk(): the package 'lmdb' cannot be loaded (${message}); reinstall it for this platform.`, {
          cause,
        })
    }
  }
  throw new Error(
    `disk(): the package 'lmdb' cannot be found from ${places.join(' or ')}; run 'npm install lmdb'. ` +
      `If the program is bundled, keep 'edgewise' and 'lmdb' out of the bundle and install them where it runs.`,
  )
}
