import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { edge, graph, integer, node, number, open, string } from '../src/index.js'
import { CannedClient } from './canned-client.js'
import type { Work } from './measure.js'
import { peer } from './peers.js'

/** A toolkit that reads the same 50 edges: through the client, and only as far as the request's parameters. */
export interface Toolkit {
  readonly name: string
  readonly query: Work
  readonly parameters: Work
}

export const EDGES = 50
const FROM = 'user00042'

/** Rows with eight attributes in addition to the ends. */
const rows = Array.from({ length: EDGES }, (_, at) => ({
  follower: FROM,
  followee: `user${String(at).padStart(5, '0')}`,
  since: `2026-01-${String((at % 28) + 1).padStart(2, '0')}T10:00:00.000Z`,
  weight: at,
  source: 'import',
  note: `a note about the edge ${at}`,
  city: 'Atlanta',
  state: 'GA',
  score: at * 1.5,
  level: at % 7,
}))

const TEXTS = ['since', 'source', 'note', 'city', 'state'] as const

export async function ours(): Promise<Toolkit> {
  const user = node('user', { name: string() }, { id: 'name' })
  const follow = edge(
    'follow',
    { follower: user, followee: user },
    {
      since: string(),
      weight: integer(),
      source: string(),
      note: string(),
      city: string(),
      state: string(),
      score: number(),
      level: integer(),
    },
  )
  const canned = new CannedClient()
  const store = canned.store()
  const all = graph('bench', [user, follow])
  const described = {
    TableStatus: 'ACTIVE' as const,
    KeySchema: ['PK', 'SK'].map(AttributeName => ({ AttributeName, KeyType: 'HASH' as const })),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'GSI1',
        KeySchema: ['GSI1PK', 'GSI1SK'].map(AttributeName => ({ AttributeName, KeyType: 'HASH' as const })),
      },
    ],
  }
  // The canned client has no tables.
  const g = await open(all, Object.assign(store, { describeTable: async () => ({ Table: described }) }) as never)
  for (const row of rows) await g.follow.put(row)
  canned.freeze()
  return {
    name: 'edgewise',
    query: () => g.follow.by.follower(FROM).all(),
    parameters: () => g.follow.by.follower(FROM).all().plan().steps[0]!.request,
  }
}

/** The document client alone, which every toolkit uses. */
export async function documentClient(): Promise<Toolkit> {
  const canned = new CannedClient()
  const client = DynamoDBDocumentClient.from(canned.client())
  const { PutCommand } = await import('@aws-sdk/lib-dynamodb')
  for (const row of rows)
    await client.send(
      new PutCommand({
        TableName: 'bench',
        Item: { PK: `user#${row.follower}`, SK: `follow#${row.followee}`, ...row },
      }),
    )
  canned.freeze()
  const parameters = () => ({
    TableName: 'bench',
    KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :sk)',
    ExpressionAttributeNames: { '#pk': 'PK', '#sk': 'SK' },
    ExpressionAttributeValues: { ':pk': `user#${FROM}`, ':sk': 'follow#' },
  })
  return {
    name: 'the document client alone',
    query: () => client.send(new QueryCommand(parameters())),
    parameters,
  }
}

export async function electrodb(): Promise<Toolkit | undefined> {
  const { Entity } = await import('electrodb')
  const canned = new CannedClient()
  const client = DynamoDBDocumentClient.from(canned.client())
  const texts = Object.fromEntries(TEXTS.map(name => [name, { type: 'string' as const }]))
  const numbers = Object.fromEntries(['weight', 'score', 'level'].map(name => [name, { type: 'number' as const }]))
  const follow = new Entity(
    {
      model: { entity: 'follow', version: '1', service: 'bench' },
      attributes: { follower: { type: 'string' }, followee: { type: 'string' }, ...texts, ...numbers },
      indexes: {
        follows: { pk: { field: 'PK', composite: ['follower'] }, sk: { field: 'SK', composite: ['followee'] } },
      },
    },
    { client, table: 'bench' },
  )
  for (const row of rows) await follow.put(row as never).go()
  canned.freeze()
  const query = () => follow.query.follows({ follower: FROM })
  return { name: 'ElectroDB', query: () => query().go(), parameters: () => query().params() }
}

export async function toolbox(): Promise<Toolkit | undefined> {
  const {
    Entity,
    item,
    number,
    PutItemCommand,
    QueryCommand: Query,
    string: text,
    Table,
  } = await import('dynamodb-toolbox')
  const canned = new CannedClient()
  const table = new Table({
    name: 'bench',
    documentClient: DynamoDBDocumentClient.from(canned.client()),
    partitionKey: { name: 'PK', type: 'string' },
    sortKey: { name: 'SK', type: 'string' },
  })
  const follow = new Entity({
    name: 'follow',
    table,
    schema: item({
      follower: text().key(),
      followee: text().key(),
      since: text(),
      weight: number(),
      source: text(),
      note: text(),
      city: text(),
      state: text(),
      score: number(),
      level: number(),
    }),
    computeKey: ({ follower, followee }) => ({ PK: `user#${follower}`, SK: `follow#${followee}` }),
  })
  for (const row of rows) await follow.build(PutItemCommand).item(row).send()
  canned.freeze()
  const query = () =>
    table
      .build(Query)
      .entities(follow)
      .query({ partition: `user#${FROM}`, range: { beginsWith: 'follow#' } })
  return { name: 'dynamodb-toolbox', query: () => query().send(), parameters: () => query().params() }
}

interface OneTable {
  readonly Table: new (
    options: object,
  ) => {
    getModel(name: string): {
      create(row: object): Promise<unknown>
      find(row: object, options?: object): Promise<unknown>
    }
  }
}

export async function onetable(): Promise<Toolkit | undefined> {
  const module = await peer<OneTable>('dynamodb-onetable')
  if (!module) return undefined
  const canned = new CannedClient()
  const field = (type: unknown) => ({ type })
  const table = new module.Table({
    client: canned.client(),
    name: 'bench',
    schema: {
      format: 'onetable:1.1.0',
      version: '0.0.1',
      indexes: { primary: { hash: 'PK', sort: 'SK' } },
      models: {
        Follow: {
          // biome-ignore lint/suspicious/noTemplateCurlyInString: OneTable fills it in
          PK: { type: String, value: 'user#${follower}' },
          // biome-ignore lint/suspicious/noTemplateCurlyInString: OneTable fills it in
          SK: { type: String, value: 'follow#${followee}' },
          follower: field(String),
          followee: field(String),
          ...Object.fromEntries(TEXTS.map(name => [name, field(String)])),
          ...Object.fromEntries(['weight', 'score', 'level'].map(name => [name, field(Number)])),
        },
      },
    },
    partial: true,
  })
  const follow = table.getModel('Follow')
  for (const row of rows) await follow.create(row)
  canned.freeze()
  return {
    name: 'OneTable',
    query: () => follow.find({ follower: FROM }),
    parameters: () => follow.find({ follower: FROM }, { execute: false }),
  }
}
