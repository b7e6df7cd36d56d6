import type { Engine } from '../engine.js'
import { dropUnreadableStreams } from './stream-register.js'

/** The timers of the process, before a test replaces them: a fake clock must find no timer of ours. */
const { setInterval, clearInterval } = globalThis
const isFake = setInterval === undefined || 'clock' in setInterval

const TRIM_EVERY_MS = 10 * 60_000

/** Engines whose streams are trimmed on the timer, for as long as the program holds on to them. */
const engines = new Set<WeakRef<Engine>>()
let timer: ReturnType<typeof setInterval> | undefined

/**
 * Frees the expired stream records of a table that is no longer written. Writes trim the streams that they extend. One
 * timer serves all engines of the process; it keeps neither the process nor an engine alive.
 */
export function trimWhileIdle(engine: Engine): void {
  if (isFake || typeof WeakRef === 'undefined') return
  engines.add(new WeakRef(engine))
  if (timer !== undefined) return
  timer = setInterval(trimAllEngines, TRIM_EVERY_MS)
  timer.unref?.()
}

function trimAllEngines(): void {
  for (const reference of engines) {
    const engine = reference.deref()
    if (engine) trimExpiredRecords(engine)
    else engines.delete(reference)
  }
  if (engines.size > 0) return
  clearInterval(timer)
  timer = undefined
}

/** Removes records that are older than 24 hours from every stream of an engine in memory. */
export function trimExpiredRecords(engine: Engine): void {
  const nowMs = engine.now()
  dropUnreadableStreams(engine)
  for (const stream of engine.streams.values()) stream.trim(nowMs)
}
