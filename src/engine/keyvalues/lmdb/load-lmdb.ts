import module from 'node:module'
import { join, sep } from 'node:path'

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

/**
 * Returns the file of this code from the call stack. `import.meta.url` is a syntax error in CommonJS, to which Jest
 * compiles this module, and bundlers replace it by the original path of the file.
 */
function findOwnFile(): string | undefined {
  const { prepareStackTrace } = Error
  try {
    Error.prepareStackTrace = (_, [site]) => site?.getFileName()
    const file: unknown = new Error('own file').stack
    return typeof file === 'string' && (file.startsWith('file:') || file.startsWith(sep) || /^[a-z]:\\/i.test(file))
      ? file
      : undefined
  } finally {
    Error.prepareStackTrace = prepareStackTrace
  }
}
