import { failureOf } from '../../store/failures.js'

interface Caused {
  readonly code?: string
  readonly cause?: unknown
}

/** Whether a failure says nothing of what was sent: the store was busy or away, or others were faster each time. */
export function isPassing(error: unknown): boolean {
  if (failureOf(error) !== 'final') return true
  const { code, cause } = (error ?? {}) as Caused
  return code === 'write.contended' || (cause !== undefined && failureOf(cause) !== 'final')
}

export function isNamed(error: unknown, name: string): boolean {
  return (error as { name?: string } | undefined)?.name === name
}
