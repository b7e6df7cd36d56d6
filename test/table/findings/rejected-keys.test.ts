import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { type Layout, layout } from '../../../src/layout/layout.js'
import { GraphError } from '../../../src/schema/error.js'
import { findings } from '../../../src/table/findings/findings.js'
import { toCreateTableInput } from '../../../src/table/table-definition.js'
import { edge, graph, node, string } from '../../layout/declarations.js'

const user = node('user', { id: string(), name: string() }, { id: 'id', by: { name: { order: ['name'] } } })
const social = graph('social', [user, edge('follows', { from: user, to: user })])

const long = 'x'.repeat(256)
const attribute = fc.constantFrom('PK', 'SK', 'GSI1PK', 'GSI1SK', 'other', 'é'.repeat(255), long)
const keys = fc.oneof(
  fc.constantFrom(['PK', 'SK'], ['SK', 'PK'], ['GSI1PK', 'GSI1SK'], ['PK', 'other'], ['other']),
  fc.array(attribute, { minLength: 1, maxLength: 2 }),
)
const units = fc.constantFrom(1, 5, 0, -1, 1.5, 1e13, Number.NaN, undefined)
const capacity = fc.oneof(fc.constant({ read: 5, write: 5 }), fc.record({ read: units, write: units }))
const index = fc.record(
  {
    keys: fc.oneof(keys, fc.constant(['PK', ''])),
    kind: fc.constantFrom('local', 'global'),
    project: fc.oneof(
      fc.constantFrom('all', 'keys', []),
      fc.array(fc.oneof(attribute, fc.constant('')), { maxLength: 3 }),
    ),
    capacity,
  },
  { requiredKeys: ['keys'] },
)
const given = fc.record(
  {
    table: fc.record({ keys: fc.oneof(fc.constantFrom(['PK', 'SK'], ['PK']), keys) }),
    indexes: fc.dictionary(fc.constantFrom('GSI1', 'GSI2', 'inv'), index, { maxKeys: 2, noNullPrototype: true }),
    capacity: fc.oneof(fc.constant('on-demand'), capacity),
  },
  { requiredKeys: [] },
)

function laidOut(options: object): Layout | undefined {
  try {
    return layout(social, options)
  } catch (error) {
    if (error instanceof GraphError) return undefined
    throw error
  }
}

/** Whether a request would change the options: JSON turns NaN into null, and DynamoDB truncates fractions. */
const isCut = (options: object) => /1\.5|null/.test(JSON.stringify(options))

test('findings reject exactly the configured keys, projections and capacities that DynamoDB rejects', async () => {
  let times = 0
  await fc.assert(
    fc.asyncProperty(given, async options => {
      const made = laidOut(options)
      if (!made || isCut(options)) return
      const refusal = await memory()
        .createTable(toCreateTableInput(made.design))
        .then(
          () => undefined,
          error => error as Error,
        )
      const found = findings(made).filter(({ rejected }) => rejected)
      times += Number(refusal !== undefined)
      expect([refusal?.message, found.map(({ message }) => message)]).toEqual(
        refusal ? [refusal.message, expect.arrayContaining([expect.any(String)])] : [undefined, []],
      )
    }),
    { numRuns: 500 },
  )
  expect(times).toBeGreaterThan(20)
})

test.each([
  [
    { indexes: { own: { keys: ['SK', 'PK'], kind: 'local' } } },
    "index.local: The key of the local index own is SK and PK, and DynamoDB takes the table's partition key and a sort key: give ['PK', …], or say that it is global.",
  ],
  [
    { indexes: { own: { keys: ['PK', 'PK'] } } },
    'key.twice: The key of the index own has PK twice, and DynamoDB takes each attribute once: drop one.',
  ],
  [
    { indexes: { own: { keys: ['other'], project: ['name', 'name'] } } },
    'key.twice: The projection of the index own has name twice, and DynamoDB takes each attribute once: drop one.',
  ],
  [
    { capacity: { read: 0, write: 1 } },
    "capacity.units: The table is to have 0 RCU and 1 WCU, and DynamoDB takes whole numbers from 1: give { read, write }, or 'on-demand' for the table.",
  ],
  [
    { indexes: { own: { keys: [long] } } },
    "attribute.name: 'xxxxxxxxxxxxxxxxxxxx…' is in a key or a projection, where DynamoDB takes names of 1 to 255 characters; give it another name.",
  ],
  [
    { indexes: { own: { keys: ['_expires', 'PK'] } } },
    "key.expires: _expires is in a key, as a text, and holds when an item expires, a number: DynamoDB refuses every item that does. Give that key, or 'expires' of the table, another name.",
  ],
] as const)('the finding for %j has our own message', (options, said) => {
  const found = findings(layout(social, options as never)).filter(({ rejected }) => rejected)
  expect(found.map(({ code, message }) => `${code}: ${message}`)).toEqual([said])
})
