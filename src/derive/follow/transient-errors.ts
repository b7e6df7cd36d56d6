import { failureKindOf } from '../../store/failure-kind.js'

interface ErrorWithCause {
  readonly code?: string
  readonly cause?: unknown
}

/** Whether a failure says nothing of what was sent: the store was busy or away, or others were faster each time. */
export function isTransient(error: unknown): boolean {
  if (failureKindOf(error) !== 'final') return true
  const { code, cause } = (error ?? {}) as ErrorWithCause
  return code === 'write.contended' || (cause !== undefined && failureKindOf(cause) !== 'final')
}

export function hasErrorName(error: unknown, name: string): boolean {
  return (error as { name?: string } | undefined)?.name === name
}
