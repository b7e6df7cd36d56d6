import { assertKnownOptions } from '../store/check-options.js'
import type { Store } from '../store/port.js'
import { backupCases } from './cases/backups/backups.js'
import { batchCases } from './cases/batches/index.js'
import { exportCases } from './cases/exports/exports.js'
import { importCases } from './cases/exports/imports.js'
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

/** The behavior of every store, as cases for any test runner. */
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
  ...exportCases,
  ...importCases,
  ...streamListCases,
  ...streamIteratorCases,
  ...streamRecordCases,
  ...violationCases(),
]

/**
 * Formats the name of a case for `skip`: `operation: sentence`.
 *
 * @param contractCase - The case to name.
 * @returns The unique name of the case.
 * @example
 * ```ts
 * import { caseName, contract } from 'edgewise/contract'
 *
 * for (const contractCase of contract) console.log(caseName(contractCase))
 * ```
 */
export function caseName({ operation, name }: ContractCase): string {
  return `${operation}: ${name}`
}

/** The options of `contractFor()`. */
export interface ContractOptions {
  /** The cases that this store does not run, by name, each with the reason. */
  readonly skip?: Readonly<Record<string, string>> | undefined
  /** The name of an S3 bucket for exports and imports. Without it, the cases that need one are skipped. */
  readonly bucket?: string | undefined
}

/**
 * Returns the contract for one store.
 *
 * Cases of operations that graphs do not need are skipped if the store lacks the operation. An unknown name in `skip`
 * is an error, so that a skip cannot outlive its case.
 *
 * @param store - The store to test.
 * @returns The cases, and the test bench that they run on.
 * @throws {Error} if `skip` names an unknown case.
 * @throws {TypeError} if an option is unknown.
 * @example
 * ```ts
 * import { caseName, contractFor } from 'edgewise/contract'
 * import { memory } from 'edgewise/engine'
 *
 * const { bench, cases } = contractFor(memory())
 * for (const contractCase of cases) {
 *   if (contractCase.skip === undefined) await contractCase.run(bench)
 *   console.log(caseName(contractCase))
 * }
 * ```
 */
export function contractFor(store: Store, options: ContractOptions = {}): { bench: TestBench; cases: ContractCase[] } {
  assertKnownOptions('contractFor()', options, 'skip, bucket')
  const { skip = {}, bucket } = options
  const names = new Set(contract.map(caseName))
  for (const name in skip)
    if (!names.has(name)) throw new Error(`skip: there is no case '${name}'; correct the name or remove it.`)
  const cases = contract.map(contractCase => {
    const missingOperation = contractCase.operation in store ? undefined : `the store has no ${contractCase.operation}`
    const unready = contractCase.needsBucket && bucket === undefined ? 'no bucket is given' : undefined
    const reason = skip[caseName(contractCase)] ?? missingOperation ?? unready
    return reason === undefined ? contractCase : { ...contractCase, skip: reason }
  })
  return { bench: new TestBench(store, bucket), cases }
}
