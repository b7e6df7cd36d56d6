interface Watched {
  readonly name: string
  used: boolean
}

const registry = new FinalizationRegistry((watched: Watched) => {
  if (!watched.used)
    process.emitWarning(
      `${watched.name}(…) was made, but never awaited, explained or handed on, so nothing was done: await it`,
      { type: 'EdgewiseWarning', code: 'EDGEWISE_UNAWAITED' },
    )
})

/** Warns when a call is collected that nobody used; what is answered says that somebody did. */
export function watch(call: object, name: string): () => void {
  const watched: Watched = { name, used: false }
  registry.register(call, watched)
  return () => {
    watched.used = true
  }
}
