import type { ServiceOperation } from '../store/port.js'
import type { TestBench } from './test-bench.js'

/** One thing that every store does. */
export interface ContractCase {
  /** What holds, in a sentence. Unique in the suite together with its operation. */
  readonly name: string
  readonly operation: ServiceOperation
  /** The limits (`limit:ITEM_BYTES`) and constraints of the model (`PutItem.TableName.max`) that it shows. */
  readonly covers: readonly string[]
  /** Why this store does not run it. */
  readonly skip?: string
  run(bench: TestBench): Promise<void>
}

export type CaseRunner = (bench: TestBench) => Promise<void>

interface CaseWithCoverage {
  readonly covers: readonly string[]
  readonly run: CaseRunner
}

/** A case that shows limits or constraints, by name. */
export function withCoverage(covers: readonly string[], run: CaseRunner): CaseWithCoverage {
  return { covers, run }
}

/** The cases of one operation, by what holds. */
export function defineCases(
  operation: ServiceOperation,
  sentences: Record<string, CaseRunner | CaseWithCoverage>,
): ContractCase[] {
  return Object.entries(sentences).map(([name, runner]) =>
    typeof runner === 'function' ? { name, operation, covers: [], run: runner } : { name, operation, ...runner },
  )
}
