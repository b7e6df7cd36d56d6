/** A record that outlives a call and shows whether it was used. */
export interface CallUsage {
  readonly name: string
  isUsed: boolean
}

/** A call whose use is tracked. */
export interface WatchedCall {
  readonly usage: CallUsage
}

function warnIfUnused({ name, isUsed }: CallUsage): void {
  // Some runtimes have no `process`. A warning is the only choice here, because nobody could catch an error.
  const warn = globalThis.process?.emitWarning ?? console.warn
  if (!isUsed)
    warn(`${name}() was never used, so nothing was done: await it`, {
      type: 'EdgewiseWarning',
      code: 'EDGEWISE_UNAWAITED',
    })
}

/**
 * Some runtimes, for example Cloudflare Workers with an older compatibility date, lack FinalizationRegistry and never
 * warn.
 */
const registry = 'FinalizationRegistry' in globalThis ? new FinalizationRegistry(warnIfUnused) : undefined

const newCalls: WatchedCall[] = []

/** Warns when an unused call is garbage-collected. */
export function warnIfNeverUsed(call: WatchedCall): void {
  if (!registry) return
  // Most calls are awaited within two turns and never need the registry, so registration waits for two turns.
  // Promises are used because fake timers in tests delay queueMicrotask().
  if (newCalls.push(call) === 1) void Promise.resolve().then().then(register)
}

function register(): void {
  for (const call of newCalls.splice(0)) if (!call.usage.isUsed) registry?.register(call, call.usage)
}
