import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { validation } from '../errors.js'
import type { Layer } from '../values/layer.js'
import { SyntaxCache } from './cache.js'
import { bindCondition, type Condition, fillCondition } from './condition.js'
import { type ConditionSyntax, parseCondition } from './condition-parser.js'
import { checkSize, type ExpressionKind } from './faults.js'
import { type KeyCondition, keyConditionOf } from './key-condition.js'
import { takePlaceholders } from './placeholders.js'
import { bindProjection, type Projection, type ProjectionSyntax, parseProjection } from './projection.js'
import { type Equality, equalitiesOf } from './search-condition.js'
import type { Mentions } from './syntax.js'
import { bindUpdate, type Update } from './update.js'
import { parseUpdate, type UpdateSyntax } from './update-parser.js'

export type ExpressionRequest = { readonly [Kind in ExpressionKind]?: string | undefined } & {
  readonly ExpressionAttributeNames?: Record<string, string> | undefined
  readonly ExpressionAttributeValues?: Record<string, AttributeValue> | undefined
}

export interface Expressions {
  readonly update: Update | undefined
  readonly condition: Condition | undefined
  readonly keyCondition: KeyCondition | undefined
  readonly filter: Condition | undefined
  readonly projection: Projection | undefined
}

/** Those of a search. */
export interface SearchExpressions {
  readonly equalities: readonly Equality[]
  readonly projection: Projection | undefined
}

/** Those of a request that has none. */
export const NO_EXPRESSIONS: Expressions = {
  update: undefined,
  condition: undefined,
  keyCondition: undefined,
  filter: undefined,
  projection: undefined,
}

/**
 * Reads all of a request's expressions, and throws what the service would about the first fault in its order. Texts
 * that were read before are kept parsed, up to a bound for each kind.
 */
export class ExpressionReader {
  private readonly updates: SyntaxCache<UpdateSyntax>
  private readonly conditions: SyntaxCache<ConditionSyntax>
  private readonly keyConditions: SyntaxCache<ConditionSyntax>
  private readonly filters: SyntaxCache<ConditionSyntax>
  private readonly projections: SyntaxCache<ProjectionSyntax>
  private readonly searches: SyntaxCache<ConditionSyntax>

  constructor(cachedMax: number) {
    this.updates = new SyntaxCache(parseUpdate, cachedMax)
    this.conditions = new SyntaxCache(text => parseCondition('ConditionExpression', text), cachedMax)
    this.keyConditions = new SyntaxCache(text => parseCondition('KeyConditionExpression', text), cachedMax)
    this.filters = new SyntaxCache(text => parseCondition('FilterExpression', text), cachedMax)
    this.projections = new SyntaxCache(parseProjection, cachedMax)
    this.searches = new SyntaxCache(text => parseCondition('SearchConditionExpression', text), cachedMax)
  }

  /** `takingValues` names the expressions of the operation that values can be for. */
  read(
    request: ExpressionRequest,
    layer: Layer,
    takingValues: readonly ExpressionKind[] = ['ConditionExpression'],
  ): Expressions {
    checkNeeded(request, takingValues)
    const placeholders = takePlaceholders(request.ExpressionAttributeNames, request.ExpressionAttributeValues, layer)
    const mentions: Mentions[] = []
    const parse = <Syntax extends { mentions: Mentions }>(
      kind: ExpressionKind,
      cache: SyntaxCache<Syntax>,
      text: string,
    ): Syntax => {
      checkSize(kind, text, layer)
      const syntax = cache.get(text)
      mentions.push(syntax.mentions)
      return syntax
    }
    const { UpdateExpression, ConditionExpression, KeyConditionExpression, FilterExpression, ProjectionExpression } =
      request
    // An empty condition is told before anything is said of the update.
    if (ConditionExpression === '') parse('ConditionExpression', this.conditions, ConditionExpression)
    const update = isGiven(UpdateExpression)
      ? bindUpdate(parse('UpdateExpression', this.updates, UpdateExpression), placeholders, layer)
      : undefined
    const condition = isGiven(ConditionExpression)
      ? bindCondition(
          'ConditionExpression',
          parse('ConditionExpression', this.conditions, ConditionExpression),
          placeholders,
        )
      : undefined
    const keySyntax = isGiven(KeyConditionExpression)
      ? parse('KeyConditionExpression', this.keyConditions, KeyConditionExpression)
      : undefined
    const keySlots = keySyntax && fillCondition('KeyConditionExpression', keySyntax, placeholders)
    const filter = isGiven(FilterExpression)
      ? bindCondition('FilterExpression', parse('FilterExpression', this.filters, FilterExpression), placeholders)
      : undefined
    const projection = isGiven(ProjectionExpression)
      ? bindProjection(parse('ProjectionExpression', this.projections, ProjectionExpression), placeholders)
      : undefined
    placeholders.checkUsed(mentions)
    // Whether a condition can be one on keys is looked at once every expression is found to be sound.
    const keyCondition = keySyntax && keyConditionOf(keySyntax.root, keySlots!)
    return { update, condition, keyCondition, filter, projection }
  }

  /** For searches of vectors. */
  readSearch(request: ExpressionRequest, layer: Layer): SearchExpressions {
    checkNeeded(request, ['SearchConditionExpression'], ': SearchConditionExpression is null')
    const placeholders = takePlaceholders(request.ExpressionAttributeNames, request.ExpressionAttributeValues, layer)
    const { SearchConditionExpression: condition, ProjectionExpression: projection } = request
    if (isGiven(condition)) checkSize('SearchConditionExpression', condition, layer)
    const search = isGiven(condition) ? this.searches.get(condition) : undefined
    const slots = search && fillCondition('SearchConditionExpression', search, placeholders)
    const equalities = search ? equalitiesOf(search.root, slots!) : []
    if (isGiven(projection)) checkSize('ProjectionExpression', projection, layer)
    const projected = isGiven(projection) ? this.projections.get(projection) : undefined
    const bound = projected && bindProjection(projected, placeholders)
    placeholders.checkUsed([search, projected].flatMap(syntax => syntax?.mentions ?? []))
    return { equalities, projection: bound }
  }

  /** For what puts, deletes or checks an item, which knows no other expression. */
  readCondition(request: ExpressionRequest, layer: Layer): Condition | undefined {
    return this.read(conditionOf(request), layer).condition
  }

  /** For what updates an item, which knows no expression of reads. */
  readUpdate(request: ExpressionRequest, layer: Layer): Expressions {
    const { UpdateExpression, ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = request
    const known = { UpdateExpression, ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues }
    return this.read(known, layer, ['UpdateExpression', 'ConditionExpression'])
  }

  /** For reads of items by their keys, which know no other expression, and no values. */
  readProjection(request: ExpressionRequest, layer: Layer): Projection | undefined {
    return this.read(projectionOf(request), layer).projection
  }

  /** The condition of a part of a transaction. */
  readPartCondition(part: ExpressionRequest): Condition | undefined {
    return this.readPart(conditionOf(part)).condition
  }

  /** The projection of a part of a transaction. */
  readPartProjection(part: ExpressionRequest): Projection | undefined {
    return this.readPart(projectionOf(part)).projection
  }

  /** In a transaction names and values may be for no expression at all. */
  private readPart(part: ExpressionRequest): Expressions {
    if (hasExpression(part)) return this.read(part, 'older')
    takePlaceholders(part.ExpressionAttributeNames, part.ExpressionAttributeValues, 'older')
    return NO_EXPRESSIONS
  }
}

function conditionOf(request: ExpressionRequest): ExpressionRequest {
  const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = request
  return { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues }
}

function projectionOf({ ProjectionExpression, ExpressionAttributeNames }: ExpressionRequest): ExpressionRequest {
  return { ProjectionExpression, ExpressionAttributeNames }
}

/** Expressions, and in the place of those that were not given what parameters from before expressions say. */
export function withLegacy(expressions: Expressions, legacy: Partial<Expressions>): Expressions {
  return {
    ...expressions,
    keyCondition: expressions.keyCondition ?? legacy.keyCondition,
    filter: expressions.filter ?? legacy.filter,
    projection: expressions.projection ?? legacy.projection,
  }
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== null
}

const KINDS: readonly ExpressionKind[] = [
  'UpdateExpression',
  'ConditionExpression',
  'KeyConditionExpression',
  'FilterExpression',
  'ProjectionExpression',
  'SearchConditionExpression',
]

const hasExpression = (request: ExpressionRequest) => KINDS.some(kind => isGiven(request[kind]))

/** Names and values are for expressions. A query and a scan name those that are missing. */
export function checkNeeded(request: ExpressionRequest, takingValues: readonly ExpressionKind[], missing = ''): void {
  if (request.ExpressionAttributeNames !== undefined && !hasExpression(request))
    throw validation('ExpressionAttributeNames can only be specified when using expressions')
  if (request.ExpressionAttributeValues === undefined || takingValues.some(kind => isGiven(request[kind]))) return
  throw validation(`ExpressionAttributeValues can only be specified when using expressions${missing}`)
}
