import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { type Condition, decimal, graph, integer, list, type NodeRow, node, open, string } from '../../../src/index.js'

it('a test that && drops is rejected before it is sent', async () => {
  const thing = node('thing', { id: string(), name: string(), n: integer() }, { id: 'id' })
  const g = await open(graph('things', [thing]), memory())
  const lossy: Condition<NodeRow<typeof thing>>[] = [
    row => row.name.is('a') && row.n.above(1),
    row => row.name.exists() && row.n.exists(),
  ]
  const isTestError = expect.objectContaining({ code: 'condition.invalid' })
  for (const condition of lossy) {
    expect(() => g.thing.scan().filter(condition)).toThrow(isTestError)
    expect(() => g.thing.delete('a').if(condition)).toThrow(isTestError)
  }
})

it('a prefix that is not a text is rejected', async () => {
  const note = node('note', { id: string(), text: string() }, { id: 'id' })
  const g = await open(graph('notes', [note]), memory())
  for (const beginning of [undefined, null, 5, []])
    expect(() => g.note.scan().filter(r => r.text.startsWith(beginning as never))).toThrow('give a string')
})

it('text functions on a number are rejected, because DynamoDB always returns false: a prefix, a part, a size', async () => {
  const price = node('price', { id: string(), sum: decimal(), n: integer(), all: list(integer()) }, { id: 'id' })
  const g = await open(graph('prices', [price]), memory())
  await g.price.put({ id: 'a', sum: '12.5', n: 1, all: [7] })
  const isNumberError = expect.objectContaining({
    code: 'condition.invalid',
    message: expect.stringMatching(/is a number, which has no text functions/),
  })
  const blind: Condition<NodeRow<typeof price>>[] = [
    r => r.sum.startsWith('12'),
    r => r.sum.contains('2'),
    r => r.sum.size().above(0),
    r => (r.all.at(0) as never as typeof r.sum).size().above(0),
  ]
  for (const condition of blind) expect(() => g.price.scan().filter(condition)).toThrow(isNumberError)
  const found = (condition: Condition<NodeRow<typeof price>>) => g.price.scan().filter(condition).all()
  expect(await found(r => r.all.size().is(1).and(r.all.contains(7)))).toHaveLength(1)
})
