import { GraphError } from '../../schema/error.js'
import type { BatchSource } from './source.js'

/** Rejects a value that is not a source. */
export function assertSource(source: BatchSource): void {
  const paths = [source].flat()
  const isPaths = paths.length > 0 && paths.every(path => typeof path === 'string' && path !== '')
  const isTable = typeof (source as { store?: { scan?: unknown } })?.store?.scan === 'function'
  if (!isPaths && !isTable)
    throw new GraphError(
      'call.argument',
      "batch: 'from' is not a source; give the path of an export or a dump, or { store }.",
      { name: 'from' },
    )
  const { segments = 1, readUnits = 1 } = source as { segments?: number; readUnits?: number }
  if (!Number.isInteger(segments) || segments < 1 || !(readUnits > 0))
    throw new GraphError('call.argument', "batch: 'segments' and 'readUnits' are not numbers above 0; correct them.")
}
