import { folderWith } from './cinema-folder.js'

const REGISTER = `
import { register } from 'node:module'
register('./hooks.mjs', import.meta.url)
`
const HOOKS = `
export function resolve(specifier, context, next) {
  if (specifier !== '@duckdb/node-api') return next(specifier, context)
  throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
}
`

/** The environment of a command on a machine without DuckDB. */
export function withoutDuckDB(): { readonly NODE_OPTIONS: string } {
  const at = folderWith({ 'hooks.mjs': HOOKS, 'register.mjs': REGISTER })
  return { NODE_OPTIONS: `--import=${at('register.mjs')}` }
}
