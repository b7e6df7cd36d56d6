export { type ServedStore, serve } from './serve.js'
export type { ServeOptions } from './serve-options.js'
export type { Credentials } from './signatures/credentials.js'
