import { describe, expect, it } from 'vitest'
import { itemsOf } from '../../src/layout/items.js'
import { layout } from '../../src/layout/layout.js'
import { printIndex, printItems } from '../../src/layout/print.js'
import { graph, integer, node, string } from './declare.js'

describe('what is printed lies as DynamoDB has it', () => {
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

  it('by numbers where a key of an index is one', () => {
    const example = Object.entries({ ten: 10, nine: 9, three: -3, twenty: -20 })
    const items = itemsOf(made, { player: example.map(([name, points]) => ({ name, points })) })
    expect(names(printIndex(made, items, 'player_top'))).toEqual(['twenty', 'three', 'nine', 'ten'])
  })

  it('by the bytes of texts', () => {
    const items = itemsOf(made, { player: ['\u{1f600}', '\uff5e', 'a'].map(name => ({ name, points: 1 })) })
    expect(names(printItems(made, items))).toEqual(['a', '\uff5e', '\u{1f600}'])
  })
})
