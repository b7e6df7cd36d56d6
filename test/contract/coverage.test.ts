import { describe, expect, it } from 'vitest'
import { caseName, contract, contractFor } from '../../src/contract/index.js'
import * as limits from '../../src/dynamodb/limits.js'
import { listConstraints } from '../../src/dynamodb/model/list.js'
import { OPERATION_NAMES } from '../../src/dynamodb/model/operations.js'
import { memory } from '../../src/engine/index.js'
import { wrap } from '../../src/store/wrap.js'

/** Limits that no request to a store can show, each with the reason. */
const NOT_SHOWN: Partial<Record<keyof typeof limits, string>> = {
  EXPORTS_AT_ONCE: 'three hundred exports at once: test/engine/transfers/limits.test.ts',
  IMPORTS_AT_ONCE: 'fifty imports at once: test/engine/transfers/limits.test.ts',
  IMPORT_ERRORS_LOGGED: 'a store does not show its log: test/engine/transfers/imports.slow.test.ts',
  INCREMENTAL_EXPORT_MS_MAX: 'needs a clock that can be moved: test/engine/transfers/limits.test.ts',
  LIST_TRANSFERS_DEFAULT: 'eleven exports: test/engine/transfers/limits.test.ts',
  TRANSFER_TOKEN_MS: 'needs a clock that can be moved: test/engine/transfers/limits.test.ts',
  ITEM_COLLECTION_BYTES:
    'ten gigabytes in one partition are more than a test can write; README says that it is not enforced',
  PARTITION_READ_UNITS: 'a rate, which shows in throttling only: test/engine/traffic/partitions.test.ts',
  PARTITION_WRITE_UNITS: 'a rate, which shows in throttling only: test/engine/traffic/partitions.test.ts',
  STORAGE_OVERHEAD_BYTES: 'counts in what storage costs, which no operation tells',
  RESTORES: 'fifty tables that are being restored at once: test/engine/backups/pending-backups.test.ts',
  SHARD_ITERATOR_MS: 'needs a clock that can be moved: test/engine/streams/iterators.test.ts',
  STREAM_RETENTION_MS: 'needs a clock that can be moved: test/engine/streams/retention.test.ts',
  TRANSACT_TOKEN_MS: 'needs a clock that can be moved: test/engine/transactions/tokens.test.ts',
}

/** Every keyword and operator of expressions, in the form in which it appears. */
const VOCABULARY: Record<string, RegExp> = {
  attribute_exists: /\battribute_exists\s*\(/,
  attribute_not_exists: /\battribute_not_exists\s*\(/,
  attribute_type: /\battribute_type\s*\(/,
  begins_with: /\bbegins_with\s*\(/,
  contains: /\bcontains\s*\(/,
  size: /\bsize\s*\(/,
  if_not_exists: /\bif_not_exists\s*\(/,
  list_append: /\blist_append\s*\(/,
  AND: /\bAND\b/i,
  OR: /\bOR\b/i,
  NOT: /\bNOT\b/i,
  BETWEEN: /\bBETWEEN\b/i,
  IN: /\bIN\s*\(/i,
  SET: /\bSET\b/i,
  REMOVE: /\bREMOVE\b/i,
  ADD: /\bADD\b/i,
  DELETE: /\bDELETE\b/i,
  'equal to': /[^<>]=/,
  'unequal to': /<>/,
  'less than': /<[^>=]/,
  'at most': /<=/,
  'greater than': /[^<]>[^=]/,
  'at least': />=/,
  plus: /\+/,
  minus: /\s-\s/,
  'a member of a map': /[a-z]\.[#a-z]/,
  'an element of a list': /\[\d+\]/,
  'a name': /#/,
  'a value': /:/,
}

const covered = new Set(contract.flatMap(({ covers }) => covers))

describe('the coverage of the contract', () => {
  it('the contract has a case for every limit', () => {
    const missing = Object.keys(limits).filter(name => !covered.has(`limit:${name}`))
    expect(missing.toSorted()).toEqual(Object.keys(NOT_SHOWN).toSorted())
  })

  it('the contract has a case for every constraint of the model', () => {
    const missing = listConstraints().filter(({ id }) => !covered.has(id))
    expect(missing.map(({ id }) => id)).toEqual([])
  })

  it('the contract has a case for every operation, apart from the constraints of its model', () => {
    const ofModel = new Set(listConstraints().map(({ id }) => id))
    const shown = new Set(
      contract.filter(({ covers }) => !covers.some(id => ofModel.has(id))).map(({ operation }) => operation),
    )
    const methods = OPERATION_NAMES.map(name => name.charAt(0).toLowerCase() + name.slice(1))
    expect([...shown].toSorted()).toEqual(methods.toSorted())
  })

  it('the contract has a successful request for every keyword of expressions', async () => {
    const answered = await answeredExpressions()
    const missing = Object.entries(VOCABULARY).filter(([, sign]) => !answered.some(expression => sign.test(expression)))
    expect(missing.map(([word]) => word)).toEqual([])
  }, 60_000)
})

describe('the cases of the contract', () => {
  it('the cases of the contract have unique names', () => {
    const names = contract.map(caseName)
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([])
  })

  it('the cases of the contract cover only existing limits', () => {
    const named = [...covered].filter(id => id.startsWith('limit:')).map(id => id.slice('limit:'.length))
    expect(named.filter(name => !(name in limits))).toEqual([])
  })

  it('the cases of the contract cover only existing constraints', () => {
    const known = new Set(listConstraints().map(({ id }) => id))
    expect([...covered].filter(id => !id.startsWith('limit:') && !known.has(id))).toEqual([])
  })

  it('a case of the contract is skipped by name and with a reason', () => {
    const name = caseName(contract[0]!)
    const { cases } = contractFor(memory(), { skip: { [name]: 'some reason' }, bucket: 'some' })
    expect(cases.filter(({ skip }) => skip !== undefined).map(given => [caseName(given), given.skip])).toEqual([
      [name, 'some reason'],
    ])
  })

  it('an unknown case of the contract cannot be skipped', () => {
    expect(() => contractFor(memory(), { skip: { 'getItem: nonsense': 'some reason' } })).toThrow(
      "skip: there is no case 'getItem: nonsense'",
    )
    expect(() => contractFor(memory(), { skips: {} } as object)).toThrow("contractFor(): there is no option 'skips'")
  })
})

/** Every expression in the successful requests of the engine during the contract. */
async function answeredExpressions(): Promise<string[]> {
  const found = new Set<string>()
  const store = wrap(memory(), async (_operation, request, options, send) => {
    const answer = await send(request, options)
    for (const expression of expressionsIn(request)) found.add(expression)
    return answer
  })
  const { bench, cases } = contractFor(store)
  // Other tests report failing cases.
  for (const given of cases) if (given.skip === undefined) await given.run(bench).catch(() => undefined)
  return [...found]
}

function* expressionsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return
  for (const [name, member] of Object.entries(value)) {
    if (name.endsWith('Expression') && typeof member === 'string') yield member
    else yield* expressionsIn(member)
  }
}
