import type { Item } from '../../../dynamodb/attribute-value.js'
import { cases } from '../case.js'
import { invalid, same } from '../expect.js'
import { type Given, Trial } from './trial.js'

const DOCUMENT: Item = {
  a: { S: 'a' },
  'b.c': { S: 'dotted' },
  map: { M: { x: { N: '1' }, y: { N: '2' }, inner: { M: { deep: { BOOL: true }, more: { NULL: true } } } } },
  list: {
    L: [{ S: 'zero' }, { M: { n: { N: '1' }, m: { N: '2' } } }, { L: [{ S: 'p' }, { S: 'q' }] }, { S: 'three' }],
  },
}
const M = { '#m': 'map' }
const L = { '#l': 'list' }
const said = (detail: string) => `Invalid ProjectionExpression: ${detail}`

/** What projections give, on the simplest read. */
export const projectionCases = cases('getItem', {
  'a projection gives the attributes that it names, where they are': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    same(await trial.projected('a, absent'), { a: { S: 'a' } })
    same(await trial.projected('pk,a'), { ...trial.Key, a: { S: 'a' } })
    same(await trial.projected('#d', { '#d': 'b.c' }), { 'b.c': { S: 'dotted' } })
  },
  'a projection of nothing that is there gives an item without attributes': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    same(await trial.projected('absent'), {})
    same(await trial.projected('a.b, #m.z, #l[9]', { ...M, ...L }), {})
    same(await trial.projected('a[0], #m[0], #l.x', { ...M, ...L }), {})
  },
  'a projection into maps gives what leads to its ends': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    same(await trial.projected('#m.x, #m.#i.deep', { ...M, '#i': 'inner' }), {
      map: { M: { x: { N: '1' }, inner: { M: { deep: { BOOL: true } } } } },
    })
  },
  'a projection into lists closes their ranks, in their own order': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    same(await trial.projected('#l[3], #l[0], #l[7]', L), { list: { L: [{ S: 'zero' }, { S: 'three' }] } })
    same(await trial.projected('#l[2][1], #l[1].m', L), {
      list: { L: [{ M: { m: { N: '2' } } }, { L: [{ S: 'q' }] }] },
    })
  },
  'paths that overlap or conflict are refused': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    const two = (verb: string, one: string, other: string) =>
      said(
        `Two document paths ${verb} with each other; must remove or rewrite one of these paths; ` +
          `path one: ${one}, path two: ${other}`,
      )
    await invalid(trial.projected('a, a'), two('overlap', '[a]', '[a]'))
    await invalid(trial.projected('a, #a', { '#a': 'a' }), two('overlap', '[a]', '[a]'))
    await invalid(trial.projected('a.b, a'), two('overlap', '[a, b]', '[a]'))
    await invalid(trial.projected('a[1], a[1].b'), two('overlap', '[a, [1]]', '[a, [1], b]'))
    await invalid(trial.projected('a.b, a[1]'), two('conflict', '[a, b]', '[a, [1]]'))
  },
  'a projection that cannot be read is refused': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    const refusals: [string, Given, string][] = [
      ['', {}, said('The expression can not be empty;')],
      ['a,', {}, said('Syntax error; token: "<EOF>", near: ","')],
      ['a b', {}, said('Syntax error; token: "b", near: "a b"')],
      ['a.', {}, said('Syntax error; token: "<EOF>", near: "."')],
      ['a[b]', {}, said('Syntax error; token: "b", near: "[b]"')],
      [':a', {}, said('Syntax error; token: ":a", near: ":a"')],
      ['1a', {}, said('Syntax error; token: "1", near: "1a"')],
      ['size(a)', {}, said('Syntax error; token: "(", near: "size(a"')],
      ['a, name', {}, said('Attribute name is a reserved keyword; reserved keyword: name')],
      ['a.Comment', {}, said('Attribute name is a reserved keyword; reserved keyword: Comment')],
      ['#a', {}, said('An expression attribute name used in the document path is not defined; attribute name: #a')],
      ['a', { '#b': 'b' }, 'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}'],
      ['a', { b: 'b' }, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "b"'],
    ]
    for (const [expression, given, message] of refusals) await invalid(trial.projected(expression, given), message)
  },
})
