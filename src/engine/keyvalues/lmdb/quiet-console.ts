/** The number of commits in progress in all stores of this process. */
let commits = 0
let original: typeof console.error | undefined

/**
 * Keeps the `lmdb` package from printing the error of a failed commit. The package calls `console.error` and has no
 * option to disable this, although the commit also rejects with the error. All other output passes through.
 */
export async function withoutLmdbOutput<T>(commit: () => Promise<T>): Promise<T> {
  if (commits++ === 0) {
    // A spy that was installed during a commit restores our function after the commit.
    if (console.error !== printUnlessLmdb) original = console.error
    console.error = printUnlessLmdb
  }
  try {
    return await commit()
  } finally {
    if (--commits === 0) {
      // Other code may have replaced `console.error` in the meantime; its function calls ours.
      if (console.error === printUnlessLmdb && original) console.error = original
    }
  }
}

function printUnlessLmdb(...values: unknown[]): void {
  if (values.length === 1 && isLmdbError(values[0])) return
  original?.apply(console, values)
}

/** The code of LMDB's errors is the number of the system error. */
function isLmdbError(error: unknown): boolean {
  return (
    error instanceof Error &&
    typeof (error as { code?: unknown }).code === 'number' &&
    /[\\/]lmdb[\\/]/.test(error.stack ?? '')
  )
}
