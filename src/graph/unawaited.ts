/** What outlives a call, to tell whether it was used. */
export interface Fate {
  readonly name: string
  isUsed: boolean
}

/** A call that is watched. */
export interface Watched {
  readonly name: string
  readonly isUsed: boolean
  fate: Fate | undefined
}

const registry = new FinalizationRegistry(({ name, isUsed }: Fate) => {
  if (!isUsed)
    process.emitWarning(
      `${name}(…) was made, but never awaited, explained or handed on, so nothing was done: await it`,
      {
        type: 'EdgewiseWarning',
        code: 'EDGEWISE_UNAWAITED',
      },
    )
})

let made: Watched[] = []

/** Warns when a call is collected that nobody used. */
export function watch(call: Watched): void {
  // Most calls are awaited where they are made, which shows two turns later: only the others cost more.
  if (made.push(call) === 1) queueMicrotask(() => queueMicrotask(register))
}

function register(): void {
  const calls = made
  made = []
  for (const call of calls) {
    if (call.isUsed) continue
    call.fate = { name: call.name, isUsed: false }
    registry.register(call, call.fate)
  }
}
