import { storeError } from '../graph/sending.js'
import type { Service } from '../store/port.js'
import type { SchemaOptions, StoreOptions } from './options.js'
import { type Loaded, loadGraph } from './schema-file.js'
import { openStore } from './store-choice.js'
import { contactFailure } from './store-failure.js'

export interface OnStore extends Loaded {
  readonly store: Service
  readonly table: string
}

/** Of a command that makes the table: a folder that is missing is made for it. */
export const MAKES = { makes: true }

/** Does something with a schema and the store that it is kept in, which is closed afterwards. */
export async function onStore<T>(
  file: string,
  options: SchemaOptions & StoreOptions,
  work: (given: OnStore) => Promise<T>,
  { makes = false } = {},
): Promise<T> {
  return inStore(await loadGraph(file, options), options, work, { makes })
}

/** The same with a schema that is loaded, which may be done with its store several times. */
export async function inStore<T>(
  loaded: Loaded,
  options: StoreOptions,
  work: (given: OnStore) => Promise<T>,
  { makes = false } = {},
): Promise<T> {
  const table = options.table ?? loaded.layout.design.name
  const { store, close } = await openStore({ ...options, table }, makes)
  try {
    return await work({ ...loaded, store, table })
  } catch (error) {
    throw contactFailure(error, options) ?? storeError(error)
  } finally {
    await close()
  }
}
