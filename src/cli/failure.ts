/** What a command could not do, in words for whoever ran it. */
export class Failure extends Error {}

/** What to tell whoever ran it; undefined where nobody foresaw the error. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof Failure) return error.message
  // It may come from another copy of the package than this one.
  if (error instanceof Error && error.name === 'GraphError')
    return `${error.message} (${(error as { code?: string }).code})`
  return undefined
}
