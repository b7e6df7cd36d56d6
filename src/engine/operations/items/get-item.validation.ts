import type { Key } from '../../../dynamodb/attribute-value.js'
import type { GetItemInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import type { ProjectionExpression } from '../../expressions/projection.js'
import { checkLegacyParameters } from '../../items/request-parameters.js'
import { readAttributesToGet } from '../../legacy/attributes-to-get.js'
import { readWithCurrentValidator } from '../../request/validator-migration.js'
import { parseInputKey } from '../../values/parse-item.js'

const LEGACY = ['AttributesToGet'] as const

export function readGetItem(
  engine: Engine,
  request: GetItemInput,
): { key: Key; projection: ProjectionExpression | undefined } {
  return readWithCurrentValidator('GetItem', request, layer => {
    checkLegacyParameters(request, LEGACY)
    const key = parseInputKey(request.Key, layer)
    const projection = engine.expressions.readProjection(request, layer)
    return { key, projection: projection ?? readAttributesToGet(request.AttributesToGet) }
  })
}
