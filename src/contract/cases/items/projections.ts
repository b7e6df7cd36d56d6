import type { Item } from '../../../dynamodb/attribute-value.js'
import { expectEqual, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { ItemTrial, type PlaceholderValues } from '../../fixtures/item-trial.js'

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
const projectionExpressionError = (detail: string) => `Invalid ProjectionExpression: ${detail}`

/** Cases of projections, on GetItem. */
export const projectionCases = defineCases('getItem', {
  'a projection returns the named attributes at their paths': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    expectEqual(await trial.readProjection('a, absent'), { a: { S: 'a' } })
    expectEqual(await trial.readProjection('pk,a'), { ...trial.Key, a: { S: 'a' } })
    expectEqual(await trial.readProjection('#d', { '#d': 'b.c' }), { 'b.c': { S: 'dotted' } })
  },
  'a projection without matches returns an item without attributes': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    expectEqual(await trial.readProjection('absent'), {})
    expectEqual(await trial.readProjection('a.b, #m.z, #l[9]', { ...M, ...L }), {})
    expectEqual(await trial.readProjection('a[0], #m[0], #l.x', { ...M, ...L }), {})
  },
  'a projection into maps returns the enclosing maps of its paths': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    expectEqual(await trial.readProjection('#m.x, #m.#i.deep', { ...M, '#i': 'inner' }), {
      map: { M: { x: { N: '1' }, inner: { M: { deep: { BOOL: true } } } } },
    })
  },
  'a projection into lists returns the selected elements without gaps, in list order': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    expectEqual(await trial.readProjection('#l[3], #l[0], #l[7]', L), { list: { L: [{ S: 'zero' }, { S: 'three' }] } })
    expectEqual(await trial.readProjection('#l[2][1], #l[1].m', L), {
      list: { L: [{ M: { m: { N: '2' } } }, { L: [{ S: 'q' }] }] },
    })
  },
  'paths that overlap or conflict are rejected': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    const two = (verb: string, one: string, other: string) =>
      projectionExpressionError(
        `Two document paths ${verb} with each other; must remove or rewrite one of these paths; ` +
          `path one: ${one}, path two: ${other}`,
      )
    await expectValidationError(trial.readProjection('a, a'), two('overlap', '[a]', '[a]'))
    await expectValidationError(trial.readProjection('a, #a', { '#a': 'a' }), two('overlap', '[a]', '[a]'))
    await expectValidationError(trial.readProjection('a.b, a'), two('overlap', '[a, b]', '[a]'))
    await expectValidationError(trial.readProjection('a[1], a[1].b'), two('overlap', '[a, [1]]', '[a, [1], b]'))
    await expectValidationError(trial.readProjection('a.b, a[1]'), two('conflict', '[a, b]', '[a, [1]]'))
  },
  'a projection with a syntax error is rejected': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    const refusals: [string, PlaceholderValues, string][] = [
      ['', {}, projectionExpressionError('The expression can not be empty;')],
      ['a,', {}, projectionExpressionError('Syntax error; token: "<EOF>", near: ","')],
      ['a b', {}, projectionExpressionError('Syntax error; token: "b", near: "a b"')],
      ['a.', {}, projectionExpressionError('Syntax error; token: "<EOF>", near: "."')],
      ['a[b]', {}, projectionExpressionError('Syntax error; token: "b", near: "[b]"')],
      [':a', {}, projectionExpressionError('Syntax error; token: ":a", near: ":a"')],
      ['1a', {}, projectionExpressionError('Syntax error; token: "1", near: "1a"')],
      ['size(a)', {}, projectionExpressionError('Syntax error; token: "(", near: "size(a"')],
      ['a, name', {}, projectionExpressionError('Attribute name is a reserved keyword; reserved keyword: name')],
      ['a.Comment', {}, projectionExpressionError('Attribute name is a reserved keyword; reserved keyword: Comment')],
      [
        '#a',
        {},
        projectionExpressionError(
          'An expression attribute name used in the document path is not defined; attribute name: #a',
        ),
      ],
      ['a', { '#b': 'b' }, 'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}'],
      ['a', { b: 'b' }, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "b"'],
    ]
    for (const [expression, given, message] of refusals)
      await expectValidationError(trial.readProjection(expression, given), message)
  },
})
