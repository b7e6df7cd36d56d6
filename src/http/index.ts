export type { Credentials } from './credentials.js'
export { type ServeOptions, type Serving, serve } from './serve.js'
