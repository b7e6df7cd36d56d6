import type { Key } from '../../dynamodb/attribute-value.js'
import type { GetItemRequest } from '../../dynamodb/operations/items.js'
import type { Engine } from '../engine.js'
import type { Projection } from '../expressions/projection.js'
import { refuseMixed } from '../items/request.js'
import { readAttributesToGet } from '../legacy/attributes-to-get.js'
import { readCurrent } from '../request/read.js'
import { takeKey } from '../values/intake.js'

const LEGACY = ['AttributesToGet'] as const

export function readGetItem(engine: Engine, request: GetItemRequest): { key: Key; projection: Projection | undefined } {
  return readCurrent('GetItem', request, layer => {
    refuseMixed(request, LEGACY)
    const key = takeKey(request.Key, layer)
    const projection = engine.expressions.readProjection(request, layer)
    return { key, projection: projection ?? readAttributesToGet(request.AttributesToGet) }
  })
}
