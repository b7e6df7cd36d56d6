import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { validationError } from '../errors.js'
import type { ValidatorLayer } from '../values/validator-layer.js'
import { bindCondition, bindConditionSlots, type ConditionExpression } from './condition.js'
import { checkExpressionSize, type ExpressionKind } from './expression-errors.js'
import { type KeyConditionExpression, toKeyCondition } from './key-condition.js'
import { type ConditionSyntax, parseCondition } from './parsing/condition-parser.js'
import type { Mentions } from './parsing/syntax.js'
import { SyntaxCache } from './parsing/syntax-cache.js'
import { parseUpdate, type UpdateSyntax } from './parsing/update-parser.js'
import { parsePlaceholders } from './placeholders.js'
import { bindProjection, type ProjectionExpression, type ProjectionSyntax, parseProjection } from './projection.js'
import { type SearchEquality, searchEqualitiesOf } from './search-condition.js'
import { bindUpdate, type UpdateExpression } from './updates/update.js'

export type ExpressionRequest = { readonly [Kind in ExpressionKind]?: string | undefined } & {
  readonly ExpressionAttributeNames?: Record<string, string> | undefined
  readonly ExpressionAttributeValues?: Record<string, AttributeValue> | undefined
}

export interface RequestExpressions {
  readonly update: UpdateExpression | undefined
  readonly condition: ConditionExpression | undefined
  readonly keyCondition: KeyConditionExpression | undefined
  readonly filter: ConditionExpression | undefined
  readonly projection: ProjectionExpression | undefined
}

/** The expressions of a vector search. */
export interface SearchExpressions {
  readonly equalities: readonly SearchEquality[]
  readonly projection: ProjectionExpression | undefined
}

/** The expressions of a request without any. */
export const NO_EXPRESSIONS: RequestExpressions = {
  update: undefined,
  condition: undefined,
  keyCondition: undefined,
  filter: undefined,
  projection: undefined,
}

/**
 * Parses and checks all expressions of a request, and throws the first error in the order of the service. Parsed
 * expressions are cached, up to a limit for each kind.
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

  /** `kindsTakingValues` lists the kinds of expressions of this operation that can use values. */
  read(
    request: ExpressionRequest,
    layer: ValidatorLayer,
    kindsTakingValues: readonly ExpressionKind[] = ['ConditionExpression'],
  ): RequestExpressions {
    checkPlaceholdersNeeded(request, kindsTakingValues)
    const placeholders = parsePlaceholders(request.ExpressionAttributeNames, request.ExpressionAttributeValues, layer)
    const mentions: Mentions[] = []
    const parse = <Syntax extends { mentions: Mentions }>(
      kind: ExpressionKind,
      cache: SyntaxCache<Syntax>,
      text: string,
    ): Syntax => {
      checkExpressionSize(kind, text, layer)
      const syntax = cache.get(text)
      mentions.push(syntax.mentions)
      return syntax
    }
    const { UpdateExpression, ConditionExpression, KeyConditionExpression, FilterExpression, ProjectionExpression } =
      request
    // The service reports an empty condition before any error in the update.
    if (ConditionExpression === '') parse('ConditionExpression', this.conditions, ConditionExpression)
    const update = isPresent(UpdateExpression)
      ? bindUpdate(parse('UpdateExpression', this.updates, UpdateExpression), placeholders, layer)
      : undefined
    const condition = isPresent(ConditionExpression)
      ? bindCondition(
          'ConditionExpression',
          parse('ConditionExpression', this.conditions, ConditionExpression),
          placeholders,
        )
      : undefined
    const keySyntax = isPresent(KeyConditionExpression)
      ? parse('KeyConditionExpression', this.keyConditions, KeyConditionExpression)
      : undefined
    const keySlots = keySyntax && bindConditionSlots('KeyConditionExpression', keySyntax, placeholders)
    const filter = isPresent(FilterExpression)
      ? bindCondition('FilterExpression', parse('FilterExpression', this.filters, FilterExpression), placeholders)
      : undefined
    const projection = isPresent(ProjectionExpression)
      ? bindProjection(parse('ProjectionExpression', this.projections, ProjectionExpression), placeholders)
      : undefined
    placeholders.checkUsed(mentions)
    // The service checks that a condition fits a key only after all expressions are valid.
    const keyCondition = keySyntax && toKeyCondition(keySyntax.root, keySlots!)
    return { update, condition, keyCondition, filter, projection }
  }

  /** Reads the expressions of a vector search. */
  readSearch(request: ExpressionRequest, layer: ValidatorLayer): SearchExpressions {
    checkPlaceholdersNeeded(request, ['SearchConditionExpression'], ': SearchConditionExpression is null')
    const placeholders = parsePlaceholders(request.ExpressionAttributeNames, request.ExpressionAttributeValues, layer)
    const { SearchConditionExpression: condition, ProjectionExpression: projection } = request
    if (isPresent(condition)) checkExpressionSize('SearchConditionExpression', condition, layer)
    const search = isPresent(condition) ? this.searches.get(condition) : undefined
    const slots = search && bindConditionSlots('SearchConditionExpression', search, placeholders)
    const equalities = search ? searchEqualitiesOf(search.root, slots!) : []
    if (isPresent(projection)) checkExpressionSize('ProjectionExpression', projection, layer)
    const projected = isPresent(projection) ? this.projections.get(projection) : undefined
    const bound = projected && bindProjection(projected, placeholders)
    placeholders.checkUsed([search, projected].flatMap(syntax => syntax?.mentions ?? []))
    return { equalities, projection: bound }
  }

  /** Reads the condition of a put, a delete or a condition check, which have no other expression. */
  readCondition(request: ExpressionRequest, layer: ValidatorLayer): ConditionExpression | undefined {
    return this.read(pickCondition(request), layer).condition
  }

  /** Reads the expressions of an update, which has no read expressions. */
  readUpdate(request: ExpressionRequest, layer: ValidatorLayer): RequestExpressions {
    const { UpdateExpression, ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = request
    const known = { UpdateExpression, ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues }
    return this.read(known, layer, ['UpdateExpression', 'ConditionExpression'])
  }

  /** Reads the projection of a read by key, which has no other expression and no values. */
  readProjection(request: ExpressionRequest, layer: ValidatorLayer): ProjectionExpression | undefined {
    return this.read(pickProjection(request), layer).projection
  }

  /** Reads the condition of one action of a transaction. */
  readTransactionCondition(part: ExpressionRequest): ConditionExpression | undefined {
    return this.readTransactionPart(pickCondition(part)).condition
  }

  /** Reads the projection of one action of a transaction. */
  readTransactionProjection(part: ExpressionRequest): ProjectionExpression | undefined {
    return this.readTransactionPart(pickProjection(part)).projection
  }

  /** In a transaction, names and values are allowed even without an expression. */
  private readTransactionPart(part: ExpressionRequest): RequestExpressions {
    if (hasExpression(part)) return this.read(part, 'older')
    parsePlaceholders(part.ExpressionAttributeNames, part.ExpressionAttributeValues, 'older')
    return NO_EXPRESSIONS
  }
}

function pickCondition(request: ExpressionRequest): ExpressionRequest {
  const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = request
  return { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues }
}

function pickProjection({ ProjectionExpression, ExpressionAttributeNames }: ExpressionRequest): ExpressionRequest {
  return { ProjectionExpression, ExpressionAttributeNames }
}

/** Fills missing expressions with those of the legacy parameters. */
export function withLegacyExpressions(
  expressions: RequestExpressions,
  legacy: Partial<RequestExpressions>,
): RequestExpressions {
  return {
    ...expressions,
    keyCondition: expressions.keyCondition ?? legacy.keyCondition,
    filter: expressions.filter ?? legacy.filter,
    projection: expressions.projection ?? legacy.projection,
  }
}

function isPresent(text: string | undefined): text is string {
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

const hasExpression = (request: ExpressionRequest) => KINDS.some(kind => isPresent(request[kind]))

/** Names and values require an expression. Queries and scans also report which expressions are missing. */
export function checkPlaceholdersNeeded(
  request: ExpressionRequest,
  kindsTakingValues: readonly ExpressionKind[],
  missing = '',
): void {
  if (request.ExpressionAttributeNames !== undefined && !hasExpression(request))
    throw validationError('ExpressionAttributeNames can only be specified when using expressions')
  if (request.ExpressionAttributeValues === undefined || kindsTakingValues.some(kind => isPresent(request[kind])))
    return
  throw validationError(`ExpressionAttributeValues can only be specified when using expressions${missing}`)
}
