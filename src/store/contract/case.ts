import type { ServiceOperation } from '../port.js'
import type { Bench } from './bench.js'

/** One thing that every store does. */
export interface ContractCase {
  /** What holds, in a sentence. Unique in the suite together with its operation. */
  readonly name: string
  readonly operation: ServiceOperation
  /** The limits (`limit:ITEM_BYTES`) and constraints of the model (`PutItem.TableName.max`) that it shows. */
  readonly covers: readonly string[]
  /** Why this store does not run it. */
  readonly skip?: string
  run(bench: Bench): Promise<void>
}

export type Run = (bench: Bench) => Promise<void>

interface Covering {
  readonly covers: readonly string[]
  readonly run: Run
}

/** A case that shows limits or constraints, by name. */
export function covering(covers: readonly string[], run: Run): Covering {
  return { covers, run }
}

/** The cases of one operation, by what holds. */
export function cases(operation: ServiceOperation, sentences: Record<string, Run | Covering>): ContractCase[] {
  return Object.entries(sentences).map(([name, given]) =>
    typeof given === 'function' ? { name, operation, covers: [], run: given } : { name, operation, ...given },
  )
}
