/** Commits of all stores of the process that are under way. */
let commits = 0
let original: typeof console.error | undefined

/**
 * Keeps LMDB's package from printing the error of a failed commit, which the commit also rejects with: it calls
 * `console.error` and has no option for it. Everything else that is printed meanwhile passes through.
 */
export async function withoutLmdbOutput<T>(commit: () => Promise<T>): Promise<T> {
  if (commits++ === 0) {
    // A spy that was made during a commit restores ours after it.
    if (console.error !== printUnlessLmdb) original = console.error
    console.error = printUnlessLmdb
  }
  try {
    return await commit()
  } finally {
    if (--commits === 0) {
      // Another program may have replaced it meanwhile, and passes on to ours.
      if (console.error === printUnlessLmdb && original) console.error = original
    }
  }
}

function printUnlessLmdb(...values: unknown[]): void {
  if (values.length === 1 && isLmdbError(values[0])) return
  original?.apply(console, values)
}

/** LMDB's errors have the number of the system's error as their code. */
function isLmdbError(error: unknown): boolean {
  return (
    error instanceof Error &&
    typeof (error as { code?: unknown }).code === 'number' &&
    /[\\/]lmdb[\\/]/.test(error.stack ?? '')
  )
}
