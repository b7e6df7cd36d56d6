import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import type { ComparisonOperator, Condition, QueryInput } from '../../../dynamodb/operation-types.js'
import { numericValue, runQuery, sharedFixture, stringValue, TestPartition } from '../../fixtures/test-partition.js'
import type { TestBench } from '../../test-bench.js'

export type LegacyConditions = Record<string, Condition>

/** A condition on one attribute as KeyConditions, QueryFilter and ScanFilter hold it. */
export const legacyCondition = (
  name: string,
  operator: ComparisonOperator,
  ...values: AttributeValue[]
): LegacyConditions => ({
  [name]: { ComparisonOperator: operator, ...(values.length > 0 && { AttributeValueList: values }) },
})

/** Four items under one partition key, with letters as sort keys. */
export const letterRows = sharedFixture(bench =>
  TestPartition.of(
    bench,
    'composite',
    ['a', 'ab', 'b', 'c'].map((sort, i) => ({
      sk: stringValue(sort),
      grade: numericValue(i),
      note: stringValue(`n${sort}`),
    })),
  ),
)

/** Queries the letters by legacy conditions. */
export async function queryLegacy(bench: TestBench, sort: LegacyConditions = {}, more: Partial<QueryInput> = {}) {
  const { TableName, pk, store } = await letterRows(bench)
  const KeyConditions = { ...legacyCondition('pk', 'EQ', pk), ...sort }
  return runQuery(store, { TableName, KeyConditions, ConsistentRead: true, ...more })
}

export const parameterError = (detail: string) => `One or more parameter values were invalid: ${detail}`

/** The message for legacy parameters together with expressions. */
export const mixedParameters = (old: string, expressions: string) =>
  'Can not use both expression and non-expression parameters in the same request: ' +
  `Non-expression parameters: {${old}} Expression parameters: {${expressions}}`
