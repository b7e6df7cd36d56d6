import { describe, expect, test } from 'vitest'
import type { KindDesign, TableDesign } from '../../../src/layout/design.js'
import { type FindingCode, findings } from '../../../src/table/findings/findings.js'
import { designed, EVERYTHING, global, local } from '../designs.js'

const names = (count: number, word = 'name') => Array.from({ length: count }, (_, at) => `${word}${at}`)
const globals = (count: number) => names(count, 'GSI').map(name => global(name))
const movie: KindDesign = { name: 'movie', partition: 'movie#{name}', sort: 'movie', perPartition: 1 }
const inverted = global('inverted', { partition: ['SK'], sort: ['PK'] })

interface Case {
  readonly message: string
  readonly design: TableDesign
  readonly found: readonly { code: FindingCode; rejected?: boolean; index?: string; kind?: string }[]
}

const CASES: readonly Case[] = [
  { message: 'nothing in a plain design', design: designed({ kinds: [movie] }), found: [] },
  {
    message: 'in a design with everything an index that no policy can bind to the tenant of who reads it',
    design: EVERYTHING,
    found: [{ code: 'index.tenant.apart', rejected: false, index: 'GSI_2' }],
  },
  { message: 'nothing in one with everything but tenants', design: { ...EVERYTHING, tenant: false }, found: [] },

  { message: 'no fault with 20 global indexes', design: designed({ indexes: globals(20) }), found: [] },
  {
    message: '21 global indexes',
    design: designed({ indexes: globals(21) }),
    found: [{ code: 'table.indexes.global', rejected: true }],
  },
  {
    message: 'no fault with 5 local indexes',
    design: designed({ indexes: names(5, 'LSI').map(name => local(name)) }),
    found: [],
  },
  {
    message: '6 local indexes',
    design: designed({ indexes: names(6, 'LSI').map(name => local(name)) }),
    found: [{ code: 'table.indexes.local', rejected: true }],
  },
  {
    message: 'an index that includes 21 names',
    design: designed({ indexes: [global('GSI1', { project: names(21) }), global('GSI2', { project: names(20) })] }),
    found: [{ code: 'index.include.many', rejected: true, index: 'GSI1' }],
  },
  {
    message: 'indexes that include 101 names together, repeats counted',
    design: designed({
      indexes: [...globals(5).map(one => ({ ...one, project: names(20) })), local('LSI1', { project: ['x'] })],
    }),
    found: [{ code: 'table.include.many', rejected: true }],
  },
  {
    message: 'a graph that is called as no table can be, and whose table has to have another name',
    design: designed({ name: 'hr' }),
    found: [{ code: 'table.name', rejected: false }],
  },
  {
    message: 'a name that DynamoDB does not take, being of another script or too short',
    design: designed({ indexes: [global('fährt_b'), global('ab'), global('a.b-c_d')] }),
    found: [
      { code: 'index.name', rejected: true, index: 'fährt_b' },
      { code: 'index.name', rejected: true, index: 'ab' },
    ],
  },
  {
    message: 'a key of five parts',
    design: designed({ indexes: [global('GSI1', { sort: names(5) })] }),
    found: [{ code: 'index.key.parts', rejected: true, index: 'GSI1' }],
  },
  {
    message: 'a local key of two parts',
    design: designed({ indexes: [local('LSI1', { sort: names(2) })] }),
    found: [{ code: 'index.key.parts', rejected: true, index: 'LSI1' }],
  },
  {
    message: 'an index with less WCU than the table',
    design: designed({
      capacity: { read: 5, write: 5 },
      indexes: [global('GSI1', { capacity: { read: 50, write: 4 } })],
    }),
    found: [{ code: 'index.capacity.low', rejected: false, index: 'GSI1' }],
  },
  {
    message: 'no fault with less RCU than the table',
    design: designed({
      capacity: { read: 5, write: 5 },
      indexes: [global('GSI1', { capacity: { read: 1, write: 5 } })],
    }),
    found: [],
  },
  {
    message: 'an unsharded partition key with ten values',
    design: designed({ indexes: [global('GSI1', { distinctPartitions: 10 })] }),
    found: [{ code: 'index.partitions.few', rejected: false, index: 'GSI1' }],
  },
  {
    message: 'no fault with eleven',
    design: designed({ indexes: [global('GSI1', { distinctPartitions: 11 })] }),
    found: [],
  },
  {
    message: 'no fault with one value in eight shards',
    design: designed({ indexes: [global('GSI1', { distinctPartitions: 8, shards: 8 })] }),
    found: [],
  },
  {
    message: 'one value in two shards, which do not carry what the table takes',
    design: designed({ indexes: [global('GSI1', { distinctPartitions: 2, shards: 2 })] }),
    found: [{ code: 'index.partitions.few', index: 'GSI1' }],
  },
  {
    message: 'twelve values under more capacity than twelve partitions have',
    design: designed({ capacity: { read: 1, write: 12_001 }, indexes: [global('GSI1', { distinctPartitions: 12 })] }),
    found: [{ code: 'index.partitions.few', index: 'GSI1' }],
  },
  {
    message: 'an item that can outgrow 400 KB',
    design: designed({ kinds: [{ ...movie, largestBytes: 400 * 1024 + 1, largestReason: '900 entries of cast' }] }),
    found: [{ code: 'item.outgrows', kind: 'movie' }],
  },
  {
    message: 'no fault with an item of 400 KB',
    design: designed({ kinds: [{ ...movie, largestBytes: 400 * 1024 }] }),
    found: [],
  },
  {
    message: 'a collection without bound under a local index',
    design: designed({
      indexes: [local('LSI1')],
      kinds: [movie, { name: 'role', partition: movie.partition, sort: 'role#{actor}' }],
    }),
    found: [{ code: 'collection.outgrows' }],
  },
  {
    message: 'a bounded collection that is over 10 GB with the entries of its local index',
    design: designed({
      indexes: [local('LSI1')],
      kinds: [{ ...movie, perPartition: 6 * 1024 ** 2, largestBytes: 1024 }],
    }),
    found: [{ code: 'collection.outgrows' }],
  },
  {
    message: 'no fault with a small bounded collection',
    design: designed({ indexes: [local('LSI1')], kinds: [{ ...movie, perPartition: 1000 }] }),
    found: [],
  },
  {
    message: 'no fault with a node that has its partition to itself, as its sort key tells',
    design: designed({ indexes: [local('LSI1')], kinds: [{ ...movie, perPartition: undefined }] }),
    found: [],
  },
  {
    message: 'no fault with a node whose sort key tells no more than its partition, with or without a tenant',
    design: designed({
      indexes: [local('LSI1')],
      kinds: [
        { name: 'movie', partition: 'MOVIE#{name}', sort: 'MOVIE#{name}' },
        { name: 'actor', partition: '{tenant}#actor#{name}', sort: '{tenant}##' },
      ],
    }),
    found: [],
  },
  {
    message: 'no fault with a collection without bound and without local indexes',
    design: designed({ kinds: [{ ...movie, perPartition: undefined }] }),
    found: [],
  },
  {
    message: 'a constant sort key under an inverted index',
    design: designed({ indexes: [inverted], kinds: [movie] }),
    found: [{ code: 'index.inverted.constant', rejected: false, index: 'inverted', kind: 'movie' }],
  },
  {
    message: 'no fault with a constant sort key that no index is keyed by',
    design: designed({ kinds: [movie] }),
    found: [],
  },
]

describe('findings', () => {
  test.each(CASES)('findings report $message', ({ design, found }) => {
    const all = findings(design)
    expect(all).toHaveLength(found.length)
    expect(all).toMatchObject(found)
  })

  test('findings advise shards only for an index that can have them', () => {
    const toDo = (sort: readonly string[]) =>
      findings(designed({ indexes: [global('GSI1', { sort, distinctPartitions: 1 })] }))[0]?.message.split('. ')[1]
    expect(toDo(['GSI1SK'])).toBe('Give its path shards.')
    expect(toDo(['likes', 'id'])).toBe("Give its path 'in' an attribute of more values.")
  })

  test('findings state the problem with its numbers and the advice', () => {
    const [low] = findings(
      designed({ capacity: { read: 5, write: 5 }, indexes: [global('GSI1', { capacity: { read: 5, write: 4 } })] }),
    )
    expect(low?.message).toBe(
      'The index GSI1 has 4 WCU and the table 5: when the index runs out, writes to the table are throttled. Give it 5.',
    )
    const [large] = findings(
      designed({ kinds: [{ ...movie, largestBytes: 500 * 1024, largestReason: '900 entries of cast' }] }),
    )
    expect(large?.message).toBe(
      'A movie can grow to 500 KB, with 900 entries of cast, and DynamoDB refuses items over 400 KB: lower the bound, or keep the entries as edges.',
    )
  })
})

test('findings count the partition key values per tenant', () => {
  const design = designed({ indexes: [global('GSI1', { distinctPartitions: 1 })] })
  const [alone] = findings(design)
  const [shared] = findings({ ...design, tenant: true }).filter(({ code }) => code === 'index.partitions.few')
  expect(alone?.message).toContain('GSI1 has one value, each')
  expect(shared?.message).toContain('GSI1 has one value of each tenant, each')
})
