import { assertKnownOptions } from '../store/check-options.js'
import type { Store } from '../store/port.js'
import { backupCases } from './cases/backups/backups.js'
import { batchCases } from './cases/batches/index.js'
import { itemCases } from './cases/items/index.js'
import { legacyCases } from './cases/legacy/index.js'
import { statementCases } from './cases/partiql/index.js'
import { readCases } from './cases/reads/index.js'
import { streamIteratorCases } from './cases/streams/iterators.js'
import { streamListCases } from './cases/streams/list-and-describe.js'
import { streamRecordCases } from './cases/streams/records.js'
import { tableCases } from './cases/tables/index.js'
import { transactionCases } from './cases/transactions/index.js'
import { vectorCases } from './cases/vectors/index.js'
import type { ContractCase } from './contract-case.js'
import { violationCases } from './model/violation-cases.js'
import { TestBench } from './test-bench.js'

export type { ContractCase } from './contract-case.js'
export { TestBench } from './test-bench.js'

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
export function contractFor(store: Store, options: ContractOptions = {}): { bench: TestBench; cases: ContractCase[] } {
  assertKnownOptions('contractFor()', options, 'skip')
  const { skip = {} } = options
  const names = new Set(contract.map(caseName))
  for (const name in skip) if (!names.has(name)) throw new Error(`there is no case '${name}' to skip`)
  const cases = contract.map(contractCase => {
    const missingOperation = contractCase.operation in store ? undefined : `the store has no ${contractCase.operation}`
    const reason = skip[caseName(contractCase)] ?? missingOperation
    return reason === undefined ? contractCase : { ...contractCase, skip: reason }
  })
  return { bench: new TestBench(store), cases }
}
