import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Editor } from './language-server.js'

// The server reads the whole project before its first answer.
const TIMEOUT_MS = 60_000

const SOURCE = `
import type { OpenedOf } from '../../../src/graph/types/opened-graph.js'
import { string } from '../../../src/schema/attributes/string.js'
import { counter } from '../../../src/schema/attributes/counter.js'
import { edge } from '../../../src/schema/edge/edge.js'
import { node } from '../../../src/schema/node.js'
import type { cinema } from './cinema.js'
declare const g: OpenedOf<typeof cinema>
const movieRow = await g.movie.get('Toy Story')
const roleRow = await g.role.by.actor('Tom Hanks').first()
const pairs = await g.role.by.movie('Toy Story').withNodes().all()
const collected = await g.user.collect('x', { orders: g.order.by.user })
const someOf = await g.movie.by.year().only('name', 'tagline').all()
const shopId = g.shop.get
const put = g.role.put
g.role.by.;
g.;
g.user.by.;
g.shop.by.place({ country: 'USA' }).where({ });
g.movie.update('x', { });
g.movie.scan().filter(r => r.);
const a = node('a', { id: string(), n: counter() }, { id: 'id' })
node('c', { one: string(), two: string() }, { id: '' })
node('o', { no: string(), at: string() }, { id: 'no', within: a, by: { p: { in: ['at', ''] } } })
edge('e', { a, b: a }, {}, { carry: { x: '' } })
edge('e', { a, b: a }, {}, { count: { a: '' } })
edge('e', { a, b: a }, {}, { count: { a: ['n', ''] } })
edge('e', { a, b: a }, {}, { count: { a: ['n', { into: '' }] } })
edge('e', { a, b: a }, {}, { count: { b: { } } })
edge('f', { a, b: a }, {}, { })
edge('f', { a, b: a }, {}, { onDelete: { } })
`

let editor: Editor
beforeAll(async () => {
  editor = await Editor.open(SOURCE)
}, TIMEOUT_MS)
afterAll(() => editor.close())

describe('an editor shows plain types', { timeout: TIMEOUT_MS }, () => {
  it.each(['movieRow', 'roleRow', 'pairs', 'collected', 'someOf', 'get\n', 'put\n'])(
    'the type of %j is plain',
    async name => {
      expect(await editor.hover(name)).toMatchSnapshot()
    },
  )
})

describe('editor completion', { timeout: TIMEOUT_MS }, () => {
  it.each([
    ['completion offers the types and the calls across types', '\ng.'],
    ['completion offers the ends of an edge', 'g.role.by.'],
    ['completion offers the paths of a node', 'g.user.by.'],
    ['completion offers the parts of a path', '.where({ '],
    ['completion offers the attributes that an update may change', ".update('x', { "],
    ['completion offers the attributes of a row', 'filter(r => r.'],
    ['completion offers attributes for an id', "two: string() }, { id: '"],
    ['completion offers attributes and the owner for a path', "by: { p: { in: ['at', '"],
    ['completion offers the attributes that can be carried', "carry: { x: '"],
    ['completion offers counters', "count: { a: '"],
    ['completion offers counters in a list', "count: { a: ['n', '"],
    ['completion offers counters in the options of a list', "count: { a: ['n', { into: '"],
    ['completion offers the options of a count', 'count: { b: { '],
    ['completion offers the options of an edge', "edge('f', { a, b: a }, {}, { "],
    ['completion offers the ends for onDelete', 'onDelete: { '],
  ])('%s', async (_, text) => {
    expect(await editor.completions(text)).toMatchSnapshot()
  })
})
