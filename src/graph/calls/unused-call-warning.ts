/** What outlives a call, to tell whether it was used. */
export interface CallUsage {
  readonly name: string
  isUsed: boolean
}

/** A call that is watched. */
export interface WatchedCall {
  readonly usage: CallUsage
}

function warnIfUnused({ name, isUsed }: CallUsage): void {
  // Not everywhere is there a process, and what is thrown here nobody could catch.
  const warn = globalThis.process?.emitWarning ?? console.warn
  if (!isUsed)
    warn(`${name}() was never used, so nothing was done: await it`, {
      type: 'EdgewiseWarning',
      code: 'EDGEWISE_UNAWAITED',
    })
}

/** Some runtimes, Cloudflare Workers with an older compatibility date among them, have none: nothing is warned there. */
const registry = 'FinalizationRegistry' in globalThis ? new FinalizationRegistry(warnIfUnused) : undefined

const newCalls: WatchedCall[] = []

/** Warns when a call is collected that nobody used. */
export function warnIfNeverUsed(call: WatchedCall): void {
  if (!registry) return
  // Most calls are awaited where they are made, which shows two turns later: only the others cost more. By promises,
  // since the clocks that tests put in place hold queueMicrotask() back.
  if (newCalls.push(call) === 1) void Promise.resolve().then().then(register)
}

function register(): void {
  for (const call of newCalls.splice(0)) if (!call.usage.isUsed) registry?.register(call, call.usage)
}
