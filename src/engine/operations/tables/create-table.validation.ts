import type { BillingMode, CreateTableInput } from '../../../dynamodb/operation-types.js'
import { invalidParameterError } from '../../errors.js'
import { parsePolicy } from '../../policies/policy-document.js'
import { checkPolicyDocument } from '../../policies/policy-document.validation.js'
import { checkGlobalIndexes } from '../../tables/definition/global-indexes.validation.js'
import { checkIncludedTotal } from '../../tables/definition/indexes.validation.js'
import {
  checkDefinitionsUsed,
  checkIndexKeysDefined,
  checkKeySchema,
  checkTableKeysDefined,
  definedNamesOf,
  schemaNamesOf,
} from '../../tables/definition/key-schema.validation.js'
import { checkLocalIndexes } from '../../tables/definition/local-indexes.validation.js'
import { checkEncryption, checkNewStream, checkTags } from '../../tables/definition/settings.validation.js'
import {
  checkOnDemandThroughput,
  checkTableThroughput,
  checkWarmThroughput,
} from '../../tables/definition/throughput.validation.js'
import { checkVectorIndexes } from '../../tables/definition/vector-indexes.validation.js'

export function validateCreateTable(request: CreateTableInput): void {
  const billing = request.BillingMode ?? 'PROVISIONED'
  checkTableThroughput(billing, request.ProvisionedThroughput)
  const defined = checkKeys(request)
  checkIndexes(request, defined, billing)
  checkSettings(request, billing)
}

/** Returns the names of the attributes that the request defines. */
function checkKeys(request: CreateTableInput): string[] {
  const schema = request.KeySchema ?? []
  const defined = definedNamesOf(request.AttributeDefinitions ?? [])
  const keys = schemaNamesOf(schema)
  checkTableKeysDefined(keys, defined)
  checkKeySchema(schema)
  for (const list of ['LocalSecondaryIndexes', 'GlobalSecondaryIndexes', 'VectorIndexes'] as const) {
    if (request[list]?.length === 0) throw invalidParameterError(`List of ${list} is empty`)
  }
  if (request.LocalSecondaryIndexes && schema.length < 2) {
    throw invalidParameterError(
      'Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex',
    )
  }
  checkEveryKey(request, defined, keys)
  return defined
}

/** Checks that every key attribute of an index is defined and that every definition is used. */
function checkEveryKey(request: CreateTableInput, defined: readonly string[], tableKeys: readonly string[]): void {
  const used = [...tableKeys]
  const indexes = [...(request.LocalSecondaryIndexes ?? []), ...(request.GlobalSecondaryIndexes ?? [])]
  for (const { KeySchema } of indexes) {
    const keys = schemaNamesOf(KeySchema)
    checkIndexKeysDefined(keys, defined)
    used.push(...keys)
  }
  for (const { SearchSchema } of request.VectorIndexes ?? []) {
    for (const { AttributeName } of SearchSchema ?? []) used.push(AttributeName!)
  }
  // A definition of a vector attribute has its own error elsewhere.
  for (const { VectorAttribute } of request.VectorIndexes ?? []) used.push(VectorAttribute.AttributeName!)
  checkDefinitionsUsed(defined, used, indexes.length > 0)
}

function checkIndexes(request: CreateTableInput, defined: readonly string[], billing: BillingMode): void {
  const localIndexes = request.LocalSecondaryIndexes ?? []
  const globalIndexes = request.GlobalSecondaryIndexes ?? []
  const names = new Set<string>()
  checkLocalIndexes(localIndexes, request.KeySchema ?? [], names)
  checkGlobalIndexes(globalIndexes, billing, names)
  checkVectorIndexes(request.VectorIndexes ?? [], defined, billing, names)
  checkIncludedTotal([...localIndexes, ...globalIndexes])
}

function checkSettings(request: CreateTableInput, billing: BillingMode): void {
  if (request.StreamSpecification) checkNewStream(request.StreamSpecification)
  if (request.SSESpecification) checkEncryption(request.SSESpecification)
  checkOnDemandThroughput(request.OnDemandThroughput, billing)
  checkWarmThroughput(request.WarmThroughput, request.ProvisionedThroughput, 'table')
  if (request.Tags) checkTags(request.Tags)
  if (request.ResourcePolicy !== undefined) checkPolicyDocument(parsePolicy(request.ResourcePolicy), 'table')
}
