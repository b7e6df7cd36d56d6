/** The members of `AbortSignal` that every runtime has. */
interface MinimalSignal {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
}

/**
 * `AbortSignal` where the types of a browser or of Node declare it. TypeScript 6 and later load no global types by
 * default, and a declaration that names a missing type is an error in the user's project.
 */
export type AbortSignalLike = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : MinimalSignal
