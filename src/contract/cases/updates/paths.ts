import type { Item } from '../../../dynamodb/attribute-value.js'
import { expectEqual, expectInvalidRequest, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { ItemTrial } from '../../fixtures/item-trial.js'

const DOCUMENT: Item = {
  map: { M: { inner: { M: { n: { N: '1' }, s: { S: 's' } } }, tags: { SS: ['a', 'b'] } } },
  list: { L: [{ S: 'zero' }, { S: 'one' }, { M: { n: { N: '2' } } }, { S: 'three' }] },
}
const M = { '#m': 'map' }
const L = { '#l': 'list' }
const BAD_PATH = 'The document path provided in the update expression is invalid for update'

const overlapMessage = (one: string, two: string) =>
  'Invalid UpdateExpression: Two document paths overlap with each other; ' +
  `must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`
const conflictMessage = (one: string, two: string) =>
  'Invalid UpdateExpression: Two document paths conflict with each other; ' +
  `must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`

/** Cases of update expressions within documents. */
export const updatePathCases = defineCases('updateItem', {
  'SET replaces and adds members of maps': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    const { map, list } = await trial.updateAndRead('SET #m.#i.n = #m.#i.n + :v, #m.fresh = #m.#i.s', {
      ...M,
      '#i': 'inner',
      ':v': { N: '10' },
    })
    expectEqual(map, {
      M: {
        inner: { M: { n: { N: '11' }, s: { S: 's' } } },
        tags: { SS: ['a', 'b'] },
        fresh: { S: 's' },
      },
    })
    expectEqual(list, DOCUMENT.list)
  },
  'SET writes elements of lists, and appends beyond their end': async bench => {
    const trial = await ItemTrial.of(bench, { list: { L: [{ S: 'a' }, { S: 'b' }] }, empty: { L: [] } })
    const given = { ...L, '#e': 'empty', ':x': { S: 'x' }, ':y': { S: 'y' }, ':z': { S: 'z' } }
    expectEqual(await trial.updateAndRead('SET #l[1] = :x, #l[9] = :z, #l[5] = :y, #e[3] = :x', given), {
      list: { L: [{ S: 'a' }, { S: 'x' }, { S: 'y' }, { S: 'z' }] },
      empty: { L: [{ S: 'x' }] },
    })
  },
  'SET writes into maps within lists': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    const { list } = await trial.updateAndRead('SET #l[2].n = :v, #l[2].fresh = :v', { ...L, ':v': { BOOL: true } })
    expectEqual(list, {
      L: [{ S: 'zero' }, { S: 'one' }, { M: { n: { BOOL: true }, fresh: { BOOL: true } } }, { S: 'three' }],
    })
  },
  'REMOVE closes gaps in a list, with the positions before the update': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    const { list } = await trial.updateAndRead('REMOVE #l[0], #l[2], #l[7]', L)
    expectEqual(list, { L: [{ S: 'one' }, { S: 'three' }] })
    expectEqual((await trial.updateAndRead('SET #l[0] = :v REMOVE #l[1]', { ...L, ':v': { S: 'new' } })).list, {
      L: [{ S: 'new' }],
    })
    expectEqual((await trial.updateAndRead('REMOVE #l[0]', L)).list, { L: [] })
  },
  'REMOVE removes members of maps and leaves an empty map': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    const given = { ...M, '#i': 'inner', '#a': 'absent' }
    expectEqual((await trial.updateAndRead('REMOVE #m.#i.n, #m.tags, #m.#a', given)).map, {
      M: { inner: { M: { s: { S: 's' } } } },
    })
    expectEqual((await trial.updateAndRead('REMOVE #m.#i', { ...M, '#i': 'inner' })).map, { M: {} })
  },
  'ADD and DELETE work within documents': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    const given = { ...M, ...L, '#i': 'inner', ':one': { N: '1' }, ':b': { SS: ['b'] }, ':c': { SS: ['c'] } }
    const { map, list } = await trial.updateAndRead(
      'ADD #m.#i.n :one, #l[2].n :one, #m.fresh :c DELETE #m.tags :b',
      given,
    )
    expectEqual(map, {
      M: { inner: { M: { n: { N: '2' }, s: { S: 's' } } }, tags: { SS: ['a'] }, fresh: { SS: ['c'] } },
    })
    expectEqual(list, { L: [{ S: 'zero' }, { S: 'one' }, { M: { n: { N: '3' } } }, { S: 'three' }] })
  },
  'a path through a missing attribute is rejected': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    const v = { ':v': { N: '1' } }
    await expectValidationError(trial.update('SET absent.a = :v', v), BAD_PATH)
    await expectValidationError(trial.update('SET #m.absent.a = :v', { ...M, ...v }), BAD_PATH)
    await expectValidationError(trial.update('SET absent[0] = :v', v), BAD_PATH)
    await expectValidationError(trial.update('SET #l[9].a = :v', { ...L, ...v }), BAD_PATH)
    await expectValidationError(trial.update('ADD absent.a :v', v), BAD_PATH)
    await expectValidationError(trial.update('REMOVE absent.a'), BAD_PATH)
    await expectValidationError(trial.update('REMOVE absent[0]'), BAD_PATH)
    await expectValidationError(trial.update('DELETE absent.a :v', { ':v': { SS: ['a'] } }), BAD_PATH)
    expectEqual(await trial.readAttributes(), DOCUMENT)
  },
  'a path through a value of another type is rejected': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    const v = { ':v': { N: '1' } }
    await expectValidationError(trial.update('SET #m[0] = :v', { ...M, ...v }), BAD_PATH)
    await expectValidationError(trial.update('SET #l.a = :v', { ...L, ...v }), BAD_PATH)
    await expectValidationError(trial.update('SET #l[0].a = :v', { ...L, ...v }), BAD_PATH)
    await expectValidationError(trial.update('REMOVE #l.a', L), BAD_PATH)
    await expectValidationError(trial.update('REMOVE #m[0]', M), BAD_PATH)
    expectEqual(await trial.readAttributes(), DOCUMENT)
  },
  'overlapping paths are rejected, in one clause or in two': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    const v = { ':v': { N: '1' } }
    await expectInvalidRequest(trial.update('SET a = :v, a = :v', v), overlapMessage('[a]', '[a]'))
    await expectInvalidRequest(trial.update('SET a = :v REMOVE a', v), overlapMessage('[a]', '[a]'))
    await expectInvalidRequest(trial.update('SET a = :v ADD #a :v', { ...v, '#a': 'a' }), overlapMessage('[a]', '[a]'))
    await expectInvalidRequest(trial.update('SET a.b = :v, a.b.c = :v', v), overlapMessage('[a, b]', '[a, b, c]'))
    await expectInvalidRequest(trial.update('SET a[0].b = :v, a[0] = :v', v), overlapMessage('[a, [0], b]', '[a, [0]]'))
    await expectInvalidRequest(trial.update('REMOVE a, a[1]'), overlapMessage('[a]', '[a, [1]]'))
  },
  'paths that treat one attribute as a map and as a list are rejected': async bench => {
    const trial = await ItemTrial.of(bench, DOCUMENT)
    await expectInvalidRequest(
      trial.update('SET a.b = :v, a[0] = :v', { ':v': { N: '1' } }),
      conflictMessage('[a, b]', '[a, [0]]'),
    )
    await expectInvalidRequest(trial.update('REMOVE a.b[1], a.b.c'), conflictMessage('[a, b, [1]]', '[a, b, c]'))
  },
  'a dot in an alias does not separate a path': async bench => {
    const trial = await ItemTrial.of(bench, { map: { M: {} } })
    expectEqual(await trial.updateAndRead('SET #d = :v, #m.#d = :v', { ...M, '#d': 'map.x', ':v': { N: '1' } }), {
      map: { M: { 'map.x': { N: '1' } } },
      'map.x': { N: '1' },
    })
  },
})
