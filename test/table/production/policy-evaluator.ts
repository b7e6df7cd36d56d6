import type { Item, Key } from '../../../src/dynamodb/attribute-value.js'
import type { KeySchemaElement, QueryInput } from '../../../src/dynamodb/operation-types.js'
import type { Service, Store, Streams } from '../../../src/store/port.js'
import type { PolicyDocument, Statement } from '../../../src/table/production/policies.js'

/** An IAM check for one request: an action on a resource, with the partition keys of the request. */
interface Asked {
  readonly action: string
  readonly resource: string
  readonly leadingKeys?: readonly string[]
}

/** The permissions that requests have used, by statement. */
export class Used {
  private readonly grants = new Set<string>()

  add({ Sid }: Statement, action: string, resource: string): void {
    this.grants.add([Sid, action, resource].join(' '))
  }

  /** The unused permissions of a policy: statement, action and resource. */
  unused({ Statement: statements }: PolicyDocument): string[] {
    const given = statements.flatMap(({ Sid, Action, Resource }) =>
      Action.flatMap(action => Resource.map(resource => [Sid, action, resource].join(' '))),
    )
    return given.filter(grant => !this.grants.has(grant))
  }
}

type Requested = Readonly<Record<string, unknown>>

/**
 * A store that rejects requests that a policy does not allow. As in IAM, a transaction needs the actions of its parts,
 * and a read of an index concerns only the index. A condition on leading keys gets the partition keys of the request;
 * on an index those of the index, and none for a scan.
 */
export function permitted<S extends Store>(
  store: S & Partial<Service & Streams>,
  policy: PolicyDocument,
  { used = new Used(), tag = '' }: { readonly used?: Used; readonly tag?: string } = {},
): S {
  const iterators = new Map<string, string>()
  const asking = async (operation: string, request: Requested): Promise<Asked[]> => {
    const name = operation.charAt(0).toUpperCase() + operation.slice(1)
    if (operation === 'getRecords')
      return [{ action: 'dynamodb:GetRecords', resource: iterators.get(request.ShardIterator as string)! }]
    if ('StreamArn' in request) return [{ action: `dynamodb:${name}`, resource: request.StreamArn as string }]
    return askedOf(store, name, request)
  }
  const call = async (operation: string, request: Requested, ...more: unknown[]) => {
    for (const asked of await asking(operation, request)) {
      const allowing = policy.Statement.filter(statement => allows(statement, asked, tag))
      if (allowing.length === 0) throw denied(asked)
      for (const statement of allowing)
        for (const resource of statement.Resource.filter(one => isLike(asked.resource, one)))
          used.add(statement, asked.action, resource)
    }
    const answer = await (store as unknown as Record<string, (...call: unknown[]) => Promise<Requested>>)[operation]!(
      request,
      ...more,
    )
    const next = (answer.ShardIterator ?? answer.NextShardIterator) as string | undefined
    if (next)
      iterators.set(
        next,
        (request.StreamArn as string) ?? iterators.get((request as Requested).ShardIterator as string),
      )
    return answer
  }
  return new Proxy(store, {
    get: (target, name) => {
      const own = Reflect.get(target, name)
      if (typeof name === 'symbol') return undefined
      return typeof own === 'function'
        ? (request: Requested = {}, ...more: unknown[]) => call(name, request, ...more)
        : own
    },
    has: (target, name) => typeof name !== 'symbol' && name in target,
  })
}

function denied({ action, resource, leadingKeys }: Asked): Error {
  const keys = leadingKeys ? ` with the keys ${leadingKeys.join(', ')}` : ''
  return Object.assign(new Error(`not authorized to perform: ${action} on resource: ${resource}${keys}`), {
    name: 'AccessDeniedException',
  })
}

async function askedOf(store: Store, name: string, request: Requested): Promise<Asked[]> {
  const action = `dynamodb:${name}`
  const at = async (table: unknown, how: string, keys?: readonly (Item | Key)[]): Promise<Asked> => {
    const { Table } = await store.describeTable({ TableName: table as string })
    const partition = hashOf(Table!.KeySchema)
    const leadingKeys = keys && { leadingKeys: [...new Set(keys.map(key => textOf(key[partition])))] }
    return { action: how, resource: Table!.TableArn!, ...leadingKeys }
  }
  const { TableName } = request
  switch (name) {
    case 'GetItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [await at(TableName, action, [request.Key as Key])]
    case 'PutItem':
      return [await at(TableName, action, [request.Item as Item])]
    case 'Query':
    case 'Scan': {
      const { IndexName } = request as { IndexName?: string }
      const table = await at(TableName, action)
      const resource = IndexName === undefined ? table.resource : `${table.resource}/index/${IndexName}`
      if (name === 'Scan') return [{ action, resource }]
      const { Table } = await store.describeTable({ TableName: TableName as string })
      const all = [...(Table!.GlobalSecondaryIndexes ?? []), ...(Table!.LocalSecondaryIndexes ?? [])]
      const schema = IndexName === undefined ? Table! : all.find(index => index.IndexName === IndexName)!
      return [
        { action, resource, leadingKeys: [queriedKey(request as unknown as QueryInput, hashOf(schema.KeySchema))] },
      ]
    }
    case 'BatchGetItem': {
      const asked = Object.entries(request.RequestItems as Record<string, { Keys: Key[] }>)
      return Promise.all(asked.map(([table, { Keys }]) => at(table, action, Keys)))
    }
    case 'BatchWriteItem': {
      type Write = { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Key } }
      const asked = Object.entries(request.RequestItems as Record<string, Write[]>)
      const keyOf = ({ PutRequest, DeleteRequest }: Write) => (PutRequest?.Item ?? DeleteRequest?.Key)!
      return Promise.all(asked.map(([table, writes]) => at(table, action, writes.map(keyOf))))
    }
    case 'TransactGetItems':
    case 'TransactWriteItems': {
      type Part = { TableName: string; Key?: Key; Item?: Item }
      const parts = (request.TransactItems as Record<string, Part>[]).flatMap(part => Object.entries(part))
      return Promise.all(
        parts.map(([verb, { TableName: table, Key, Item }]) => at(table, `dynamodb:${verb}Item`, [(Key ?? Item)!])),
      )
    }
    default:
      return [{ action, resource: await arnOf(store, TableName as string) }]
  }
}

/** The ARN of a table, also of a table that does not exist. */
async function arnOf(store: Store, TableName: string): Promise<string> {
  const there = await store.describeTable({ TableName }).catch(() => undefined)
  return there?.Table?.TableArn ?? `arn:aws:dynamodb:us-east-1:123456789012:table/${TableName}`
}

const hashOf = (schema: readonly KeySchemaElement[] = []) =>
  schema.find(({ KeyType }) => KeyType === 'HASH')!.AttributeName!

const textOf = (value: Item[string] | undefined) => value?.S ?? value?.N ?? JSON.stringify(value)

/** The partition key value of a query. */
function queriedKey(request: QueryInput, partition: string): string {
  const { KeyConditionExpression = '', ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = request
  for (const [, name = '', value = ''] of KeyConditionExpression.matchAll(/([#\w]+) = (:\w+)/g))
    if ((ExpressionAttributeNames[name] ?? name) === partition) return textOf(ExpressionAttributeValues[value])
  throw new Error(`no key ${partition} in ${KeyConditionExpression}`)
}

function allows({ Action, Resource, Condition = {} }: Statement, asked: Asked, tag: string): boolean {
  const isMeant = Action.includes(asked.action) && Resource.some(resource => isLike(asked.resource, resource))
  return isMeant && Object.entries(Condition).every(([operator, tests]) => holds(operator, tests, asked, tag))
}

function holds(
  operator: string,
  tests: Readonly<Record<string, string | readonly string[]>>,
  { leadingKeys }: Asked,
  tag: string,
): boolean {
  return Object.entries(tests).every(([key, wanted]) => {
    if (key !== 'dynamodb:LeadingKeys') throw new Error(`no test knows the condition key ${key}`)
    const patterns = [wanted].flat().map(text => text.replace(/\$\{aws:PrincipalTag\/\w+\}/, () => tag))
    if (operator === 'Null') return patterns[0] === String(leadingKeys === undefined)
    const isMet = operator === 'ForAllValues:StringLike' ? isLike : (text: string, other: string) => text === other
    if (!/^ForAllValues:String(Like|Equals)$/.test(operator)) throw new Error(`no test knows the operator ${operator}`)
    return (leadingKeys ?? []).every(text => patterns.some(pattern => isMet(text, pattern)))
  })
}

function isLike(text: string, pattern: string): boolean {
  const source = pattern.replace(/[.*+?^${}()|[\]\\]/g, each => ({ '*': '.*', '?': '.' })[each] ?? `\\${each}`)
  return new RegExp(`^${source}$`, 's').test(text)
}
