import { folderWith } from './cinema-folder.js'

const REGISTER = `
import { register } from 'node:module'
register('./hooks.mjs', import.meta.url)
`
const hooks = (name: string) => `
export function resolve(specifier, context, next) {
  if (specifier !== '${name}') return next(specifier, context)
  throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
}
`

/** The environment of a command on a machine without DuckDB. */
export const withoutDuckDB = () => withoutPackage('@duckdb/node-api')

/** The environment of a command on a machine without a package. */
export function withoutPackage(name: string): { readonly NODE_OPTIONS: string } {
  const at = folderWith({ 'hooks.mjs': hooks(name), 'register.mjs': REGISTER })
  return { NODE_OPTIONS: `--import=${at('register.mjs')}` }
}
