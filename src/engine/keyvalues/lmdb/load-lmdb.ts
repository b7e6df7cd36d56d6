import module from 'node:module'
import { join, sep } from 'node:path'

type Lmdb = typeof import('lmdb')

/** Loads the optional peer `lmdb`, from next to edgewise or from the folder that the program runs in. */
export function loadLmdb(): Lmdb {
  const places = [findOwnFile(), join(process.cwd(), 'package.json')].filter(place => place !== undefined)
  for (const place of places) {
    try {
      // Not imported by its name: bundlers would then take lmdb and its binaries into the bundle, and fail.
      return module.createRequire(place)('lmdb') as Lmdb
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException
      if (code !== 'MODULE_NOT_FOUND')
        throw new Error(`disk(): the package 'lmdb' cannot be loaded: ${message}`, { cause })
    }
  }
  throw new Error(
    `disk(): the package 'lmdb' is not found from ${places.join(' or ')}; run 'npm install lmdb'. ` +
      `If the program is bundled, keep 'edgewise' and 'lmdb' out of the bundle and install them where it runs.`,
  )
}

/**
 * The file that this code runs in, by the call stack. `import.meta.url` is a syntax error in CommonJS, to which Jest
 * compiles this module, and bundlers replace it with the place that the file had when it was bundled.
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
