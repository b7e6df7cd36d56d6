import { toStoreError } from '../../graph/run/request-sender.js'
import type { Service } from '../../store/port.js'
import { type LoadedGraph, loadGraph } from '../graph-file/load-graph.js'
import type { SchemaOptions, StoreOptions } from '../options.js'
import { connectionFailureOf } from './connection-failure.js'
import { openStore } from './open-store.js'

export interface StoreContext extends LoadedGraph {
  readonly store: Service
  readonly table: string
}

/** Set by commands that create the table: they create a missing folder. */
export const CREATES_TABLE = { makes: true }

/** Runs a function with a schema and its store, then closes the store. */
export async function runWithStore<T>(
  file: string,
  options: SchemaOptions & StoreOptions,
  work: (context: StoreContext) => Promise<T>,
  { makes: createsTable = false } = {},
): Promise<T> {
  return runWithLoadedGraph(await loadGraph(file, options), options, work, { makes: createsTable })
}

/** Runs a function with a loaded schema, which may use its store several times. */
export async function runWithLoadedGraph<T>(
  loaded: LoadedGraph,
  options: StoreOptions,
  work: (context: StoreContext) => Promise<T>,
  { makes: createsTable = false } = {},
): Promise<T> {
  const table = options.table ?? loaded.layout.design.name
  const { store, close } = await openStore({ ...options, table }, createsTable)
  try {
    return await work({ ...loaded, store, table })
  } catch (error) {
    throw connectionFailureOf(error, options) ?? toStoreError(error)
  } finally {
    await close()
  }
}
