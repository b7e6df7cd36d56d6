import type { Engine } from '../engine.js'
import { dropUnreadableStreams } from './stream-register.js'

/** The original timers of the process. Tests with a fake clock must not see a timer of this library. */
const { setInterval, clearInterval } = globalThis
const isFake = setInterval === undefined || 'clock' in setInterval

const TRIM_EVERY_MS = 10 * 60_000

/** The engines to trim, as long as the program holds references to them. */
const engines = new Set<WeakRef<Engine>>()
let timer: ReturnType<typeof setInterval> | undefined

/**
 * Removes expired stream records of engines that are no longer written; writes trim their own streams. One timer serves
 * all engines of the process and keeps neither the process nor an engine alive.
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

/** Removes records older than 24 hours from every stream of an in-memory engine. */
export function trimExpiredRecords(engine: Engine): void {
  const nowMs = engine.now()
  dropUnreadableStreams(engine)
  for (const stream of engine.streams.values()) stream.trim(nowMs)
}
