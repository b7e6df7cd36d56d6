/** `Symbol.asyncDispose`, where the compiler's libraries have it. */
type AsyncDispose = SymbolConstructor extends { readonly asyncDispose: infer Key extends symbol } ? Key : never

/**
 * `AsyncDisposable`, where the compiler's libraries have it. TypeScript loads it only with `esnext.disposable` or the
 * types of Node, and a declaration that names a missing type is an error in the user's project.
 */
export type AsyncDisposal = { readonly [Key in AsyncDispose]: () => Promise<void> }
