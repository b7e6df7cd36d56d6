import { checkKnown } from '../known-options.js'
import type { Store } from '../port.js'
import { Bench } from './bench.js'
import type { ContractCase } from './case.js'
import { backupCases } from './cases/backups.js'
import { batchCases } from './cases/batches.js'
import { itemCases } from './cases/items.js'
import { legacyCases } from './cases/legacy.js'
import { readCases } from './cases/reads.js'
import { statementCases } from './cases/statements.js'
import { streamIteratorCases } from './cases/stream-iterators.js'
import { streamRecordCases } from './cases/stream-records.js'
import { streamListCases } from './cases/streams.js'
import { tableCases } from './cases/tables.js'
import { transactionCases } from './cases/transactions.js'
import { vectorCases } from './cases/vectors.js'
import { violationCases } from './cases/violations.js'

export { type Fault, type FaultKind, type Faulty, type FaultyOptions, faulty } from '../faulty.js'
export { Crashed } from '../faulty-errors.js'
export { Bench } from './bench.js'
export type { ContractCase } from './case.js'

/** Everything that a store must do, as cases that any test runner can run. */
export const contract: readonly ContractCase[] = [
  ...itemCases,
  ...readCases,
  ...batchCases,
  ...transactionCases,
  ...legacyCases,
  ...statementCases,
  ...tableCases,
  ...vectorCases,
  ...backupCases,
  ...streamListCases,
  ...streamIteratorCases,
  ...streamRecordCases,
  ...violationCases(),
]

/** `operation: sentence`, as skips name a case. */
export function caseName({ operation, name }: ContractCase): string {
  return `${operation}: ${name}`
}

/** What a store cannot do. */
export interface ContractOptions {
  /** Cases that this store does not run, by name, each with the reason. */
  readonly skip?: Readonly<Record<string, string>> | undefined
}

/**
 * The contract for one store. A skip of a case that there is not is an error, so that no skip outlives its case. Cases of
 * operations that graphs do not need, which a store may lack, are skipped where it does.
 */
export function contractFor(store: Store, options: ContractOptions = {}): { bench: Bench; cases: ContractCase[] } {
  checkKnown('contractFor()', options, 'skip')
  const { skip = {} } = options
  const names = new Set(contract.map(caseName))
  for (const name in skip) if (!names.has(name)) throw new Error(`there is no case '${name}' to skip`)
  const cases = contract.map(given => {
    const lacking = given.operation in store ? undefined : `the store has no ${given.operation}`
    const reason = skip[caseName(given)] ?? lacking
    return reason === undefined ? given : { ...given, skip: reason }
  })
  return { bench: new Bench(store), cases }
}
