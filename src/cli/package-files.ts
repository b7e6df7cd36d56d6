import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface PackageManifest {
  readonly version: string
  readonly exports: Readonly<Record<string, string>>
}

/** The package.json of the package that this command is of. */
export function readManifest(): PackageManifest {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
}

/** A file of this package, by its path from the package's root. */
export const packageFilePath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
