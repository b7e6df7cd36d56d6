import type { BatchSource } from '../batch/index.js'
import type { BatchData } from '../batch/open-batch.js'
import { rethrowTableError } from './connection/table-errors.js'
import { runWithStore, type StoreContext } from './connection/with-store.js'
import { type LoadedGraph, loadGraph } from './graph-file/load-graph.js'
import type { SourceOptions } from './options-batch.js'
import { abortOnStop } from './terminal/stop-signal.js'

/** A graph and the items of its source. */
export interface OnBatch extends LoadedGraph {
  readonly data: BatchData
}

/** Reads the items of `--from`, or of the table, and works on them. */
export async function withBatch<T>(
  file: string,
  options: SourceOptions,
  work: (on: OnBatch) => Promise<T>,
): Promise<T> {
  const { from } = options
  if (from) {
    const loaded = await loadGraph(file, options)
    return withData(loaded, from, options, data => work({ ...loaded, data }))
  }
  return runWithStore(file, options, async on =>
    withData(on, tableSource(on, options), options, data => work({ ...on, data })).catch(rethrowTableError(on)),
  )
}

/** The table as a source, with the share of its capacity. */
export const tableSource = ({ store, table }: StoreContext, { segments, readUnits }: SourceOptions): BatchSource => ({
  store,
  table,
  ...(segments !== undefined && { segments }),
  ...(readUnits !== undefined && { readUnits }),
})

/** Reads the items of a source, works on them, and frees them. */
export async function withData<T>(
  { layout }: LoadedGraph,
  from: BatchSource,
  { memory, threads }: SourceOptions,
  work: (data: BatchData) => Promise<T>,
): Promise<T> {
  const { openBatch } = await import('../batch/index.js')
  const data = await openBatch(layout, {
    from,
    signal: abortOnStop(),
    ...(memory !== undefined && { memory }),
    ...(threads !== undefined && { threads }),
  })
  try {
    return await work(data)
  } finally {
    data.close()
  }
}
