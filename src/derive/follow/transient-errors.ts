import { failureKindOf } from '../../store/failure-kind.js'

interface ErrorWithCause {
  readonly code?: string
  readonly cause?: unknown
}

/** Whether an error is transient: the store was busy or unreachable, or concurrent writers won every attempt. */
export function isTransient(error: unknown): boolean {
  if (failureKindOf(error) !== 'final') return true
  const { code, cause } = (error ?? {}) as ErrorWithCause
  return code === 'write.contended' || (cause !== undefined && failureKindOf(cause) !== 'final')
}

export function hasErrorName(error: unknown, name: string): boolean {
  return (error as { name?: string } | undefined)?.name === name
}
