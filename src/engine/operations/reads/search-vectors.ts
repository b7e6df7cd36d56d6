import type { Item } from '../../../dynamodb/attribute-value.js'
import { countVectorSearchBytes } from '../../../dynamodb/capacity.js'
import type { SearchVectorsInput, SearchVectorsOutput } from '../../../dynamodb/operation-types.js'
import { countItemBytes } from '../../../dynamodb/size.js'
import type { Engine } from '../../engine.js'
import type { ProjectionExpression } from '../../expressions/projection.js'
import { toOutputItem } from '../../items/output-item.js'
import { isCapacityRequested } from '../../items/write-action.js'
import { setMember } from '../../values/attribute-maps.js'
import { type StoredItem, toStoredItem } from '../../values/stored-item.js'
import { formatFloat } from '../../vectors/floats.js'
import { findNearest } from '../../vectors/nearest-vectors.js'
import { toOutputScore } from '../../vectors/scoring.js'
import { projectedItemOf, vectorOf } from '../../vectors/vector-entry.js'
import type { TableVectorIndex } from '../../vectors/vector-index.js'
import { bindVectorSearch, readSearchVectors } from './search-vectors.validation.js'

export function searchVectors(engine: Engine, request: SearchVectorsInput): SearchVectorsOutput {
  const read = readSearchVectors(engine, request)
  const { index, searchVector } = bindVectorSearch(engine, request, read)
  const found = findNearest(index, searchVector, read.equalities, request.TopK)
  const answer: SearchVectorsOutput = {
    SearchResults: found.map(({ entry, score }) => ({
      Item: toResultItem(index, entry, read.projection),
      Score: toOutputScore(score),
    })),
  }
  if (isCapacityRequested(request)) {
    const answeredBytes = found.reduce((sum, { entry }) => sum + countItemBytes(projectedItemOf(entry)), 0)
    answer.ConsumedCapacity = { VectorSearchRequestBytes: countVectorSearchBytes(index.dimensions, answeredBytes) }
  }
  return answer
}

/**
 * Returns an item of the result. The vector is included only if the projection names it, with the values that the index
 * stores. Every index stores it, regardless of the projection.
 */
function toResultItem(index: TableVectorIndex, entry: StoredItem, projection: ProjectionExpression | undefined): Item {
  const rest = projectedItemOf(entry)
  if (!projection?.names.includes(index.attribute)) return toOutputItem(toStoredItem(rest), projection)
  const item: Item = {}
  for (const name in rest) setMember(item, name, rest[name]!)
  setMember(item, index.attribute, { L: Array.from(vectorOf(entry), float => ({ N: formatFloat(float) })) })
  return toOutputItem(toStoredItem(item), projection)
}
