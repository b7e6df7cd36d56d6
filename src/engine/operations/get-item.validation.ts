import type { Key } from '../../dynamodb/attribute-value.js'
import type { GetItemRequest } from '../../dynamodb/operations/items.js'
import type { Engine } from '../engine.js'
import type { Projection } from '../expressions/projection.js'
import { refuseLegacy, refuseMixed } from '../items/request.js'
import { readCurrent } from '../request/read.js'
import { takeKey } from '../values/intake.js'

const LEGACY = ['AttributesToGet'] as const

export function readGetItem(engine: Engine, request: GetItemRequest): { key: Key; projection: Projection | undefined } {
  const read = readCurrent('GetItem', request, layer => {
    refuseMixed(request, LEGACY)
    const key = takeKey(request.Key, layer)
    const { projection } = engine.expressions.read(request, layer)
    return { key, projection }
  })
  refuseLegacy(request, LEGACY)
  return read
}
