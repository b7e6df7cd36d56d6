export { type MemoryOptions, memory } from './memory.js'
export type { ShardState, StreamOptions } from './streams/settings.js'
