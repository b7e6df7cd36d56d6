import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface PackageManifest {
  readonly version: string
  readonly exports: Readonly<Record<string, string>>
}

/** The package.json of the package that contains this command. */
export function readManifest(): PackageManifest {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
}

/** Returns the path of a file of this package, from its path relative to the package root. */
export const packageFilePath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
