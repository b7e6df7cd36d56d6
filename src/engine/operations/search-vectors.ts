import type { Item } from '../../dynamodb/attribute-value.js'
import { vectorSearchBytes } from '../../dynamodb/capacity.js'
import type { SearchVectorsAnswer, SearchVectorsRequest } from '../../dynamodb/operations/vectors.js'
import { itemBytes } from '../../dynamodb/size.js'
import type { Engine } from '../engine.js'
import type { Projection } from '../expressions/projection.js'
import { isMetered } from '../items/action.js'
import { answerItem } from '../items/read.js'
import { setMember } from '../values/maps.js'
import { type Stored, storedFrom } from '../values/stored.js'
import { restIn, vectorIn } from '../vectors/entry.js'
import { floatText } from '../vectors/floats.js'
import { answeredScore } from '../vectors/score.js'
import { nearest } from '../vectors/search.js'
import type { VectorIndex } from '../vectors/vector-index.js'
import { bindSearch, readSearchVectors } from './search-vectors.validation.js'

export function searchVectors(engine: Engine, request: SearchVectorsRequest): SearchVectorsAnswer {
  const read = readSearchVectors(engine, request)
  const { index, searched } = bindSearch(engine, request, read)
  const found = nearest(index, searched, read.equalities, request.TopK)
  const answer: SearchVectorsAnswer = {
    SearchResults: found.map(({ entry, score }) => ({
      Item: itemIn(index, entry, read.projection),
      Score: answeredScore(score),
    })),
  }
  if (isMetered(request)) {
    const answeredBytes = found.reduce((sum, { entry }) => sum + itemBytes(restIn(entry)), 0)
    answer.ConsumedCapacity = { VectorSearchRequestBytes: vectorSearchBytes(index.dimensions, answeredBytes) }
  }
  return answer
}

/** The vector is answered only where it is asked for, and as the index has it: every index has it, by any projection. */
function itemIn(index: VectorIndex, entry: Stored, projection: Projection | undefined): Item {
  const rest = restIn(entry)
  if (!projection?.names.includes(index.attribute)) return answerItem(storedFrom(rest), projection)
  const item: Item = {}
  for (const name in rest) setMember(item, name, rest[name]!)
  setMember(item, index.attribute, { L: Array.from(vectorIn(entry), float => ({ N: floatText(float) })) })
  return answerItem(storedFrom(item), projection)
}
