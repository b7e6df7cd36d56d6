import type { ServiceOperation } from '../store/port.js'
import type { TestBench } from './test-bench.js'

/** One documented behavior of a store. */
export interface ContractCase {
  /** The behavior as a sentence. Unique in the suite together with its operation. */
  readonly name: string
  readonly operation: ServiceOperation
  /** The limits (`limit:ITEM_BYTES`) and constraints of the model (`PutItem.TableName.max`) that the case covers. */
  readonly covers: readonly string[]
  /** Whether the case exports to a bucket or imports from one. It runs only if a bucket is given. */
  readonly needsBucket?: boolean
  /** The reason why this store does not run the case. */
  readonly skip?: string
  run(bench: TestBench): Promise<void>
}

export type CaseRunner = (bench: TestBench) => Promise<void>

interface CaseWithCoverage {
  readonly covers: readonly string[]
  readonly run: CaseRunner
  readonly needsBucket?: boolean
}

/** Adds the limits or constraints that a case covers, by name. */
export function withCoverage(covers: readonly string[], run: CaseRunner): CaseWithCoverage {
  return { covers, run }
}

/** Creates a case that exports to a bucket or imports from one. */
export function withBucket(run: CaseRunner): CaseWithCoverage {
  return { covers: [], run, needsBucket: true }
}

/** Creates the cases of one operation from their sentences. */
export function defineCases(
  operation: ServiceOperation,
  sentences: Record<string, CaseRunner | CaseWithCoverage>,
): ContractCase[] {
  return Object.entries(sentences).map(([name, runner]) =>
    typeof runner === 'function' ? { name, operation, covers: [], run: runner } : { name, operation, ...runner },
  )
}
