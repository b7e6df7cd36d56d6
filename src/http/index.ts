export { type ServeOptions, type Serving, serve } from './serve.js'
export type { Credentials } from './signature.js'
