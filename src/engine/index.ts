export { type Disk, type DiskOptions, disk } from './disk.js'
export { type MemoryOptions, memory } from './memory.js'
export type { ShardState, StreamOptions } from './streams/settings.js'
