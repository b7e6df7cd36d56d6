import { describe, expect, it } from 'vitest'
import { itemsOf } from '../../../src/layout/items/items.js'
import { printIndex, printItems } from '../../../src/layout/items/print.js'
import { layout } from '../../../src/layout/layout.js'
import { binary } from '../../../src/schema/attributes/binary.js'
import { list } from '../../../src/schema/attributes/list.js'
import { map } from '../../../src/schema/attributes/map.js'
import { graph, integer, node, set, string } from '../declarations.js'

describe('the order of printed items', () => {
  const player = node(
    'player',
    { name: string(), points: integer() },
    { id: 'name', by: { top: { order: ['points'], as: 'native' } } },
  )
  const made = layout(graph('game', [player]))
  const names = (printed: string) =>
    printed
      .split('\n')
      .slice(2)
      .map(row => /player#(\S+)/.exec(row)?.[1])

  it('printed entries of a numeric key are sorted by number', () => {
    const example = Object.entries({ ten: 10, nine: 9, three: -3, twenty: -20 })
    const items = itemsOf(made, { player: example.map(([name, points]) => ({ name, points })) })
    expect(names(printIndex(made, items, 'player_top'))).toEqual(['twenty', 'three', 'nine', 'ten'])
  })

  it('printed items are sorted by the UTF-8 bytes of their keys', () => {
    const items = itemsOf(made, { player: ['\u{1f600}', '\uff5e', 'a'].map(name => ({ name, points: 1 })) })
    expect(names(printItems(made, items))).toEqual(['a', '\uff5e', '\u{1f600}'])
  })
})

it.each([[undefined], [{ user: [] }], [[{ id: 'a' }]]])('printItems rejects %j', items => {
  const made = layout(
    graph('game', [node('player', { name: string() }, { id: 'name', by: { name: { in: ['name'] } } })]),
  )
  const { name } = made.design.indexes[0]!
  for (const print of [printItems, printIndex])
    expect(() => print(made, items as never, name)).toThrow(
      expect.objectContaining({
        code: 'call.argument',
        message: 'items: the value is not a list of items; give the result of itemsOf().',
      }),
    )
})

it('printIndex prints the entries of an index with its keys first, and every kind of value', () => {
  const place = map({ town: string(), tags: list(string()) })
  const person = node(
    'person',
    {
      id: string(),
      nick: string().optional(),
      place: place.optional(),
      face: binary().optional(),
      likes: set(string()).optional(),
    },
    { id: 'id', by: { nick: { in: ['nick'] } } },
  )
  const people = layout(graph('people', [person]))
  const whole = {
    nick: 'a',
    place: { town: 'Rome', tags: ['x', 'y'] },
    face: new Uint8Array([1, 255]),
    likes: new Set(['s', 't']),
  }
  const items = itemsOf(people, { person: [{ id: '1', ...whole }, { id: '2' }] })
  expect(printIndex(people, items, 'GSI1').split('\n')).toEqual([
    '| GSI1PK        | GSI1SK | PK       | SK | _type  | nick | place                          | face | likes    |',
    '|---------------|--------|----------|----|--------|------|--------------------------------|------|----------|',
    '| person.nick#a | 1      | person#1 | #  | person | a    | { town: Rome, tags: [ x, y ] } | 01ff | { s, t } |',
  ])
})
