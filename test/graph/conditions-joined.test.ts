import { expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { type Condition, graph, integer, type NodeRow, node, open, string } from '../../src/index.js'

it('a test that && leaves out is refused before it is sent', async () => {
  const thing = node('thing', { id: string(), name: string(), n: integer() }, { id: 'id' })
  const g = await open(graph('things', [thing]), memory())
  const lossy: Condition<NodeRow<typeof thing>>[] = [
    row => row.name.is('a') && row.n.above(1),
    row => row.name.exists() && row.n.exists(),
  ]
  const told = expect.objectContaining({ code: 'condition.invalid' })
  for (const condition of lossy) {
    expect(() => g.thing.scan().filter(condition)).toThrow(told)
    expect(() => g.thing.delete('a').if(condition)).toThrow(told)
  }
})

it('a beginning that is no text is refused', async () => {
  const note = node('note', { id: string(), text: string() }, { id: 'id' })
  const g = await open(graph('notes', [note]), memory())
  for (const beginning of [undefined, null, 5, []])
    expect(() => g.note.scan().filter(r => r.text.startsWith(beginning as never))).toThrow('note.text: give a string')
})
