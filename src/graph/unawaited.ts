/** What outlives a call, to tell whether it was used. */
export interface Fate {
  readonly name: string
  isUsed: boolean
}

/** A call that is watched. */
export interface Watched {
  readonly fate: Fate
}

function warnIfUnused({ name, isUsed }: Fate): void {
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

const made: Watched[] = []

/** Warns when a call is collected that nobody used. */
export function watch(call: Watched): void {
  if (!registry) return
  // Most calls are awaited where they are made, which shows two turns later: only the others cost more. By promises,
  // since the clocks that tests put in place hold queueMicrotask() back.
  if (made.push(call) === 1) void Promise.resolve().then().then(register)
}

function register(): void {
  for (const call of made.splice(0)) if (!call.fate.isUsed) registry?.register(call, call.fate)
}
