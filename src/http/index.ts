export type { Credentials } from './credentials.js'
export { type Serving, serve } from './serve.js'
export type { ServeOptions } from './serve-options.js'
