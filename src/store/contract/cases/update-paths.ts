import type { Item } from '../../../dynamodb/attribute-value.js'
import { cases } from '../case.js'
import { invalid, invalidRequest, same } from '../expect.js'
import { Trial } from './trial.js'

const DOCUMENT: Item = {
  map: { M: { inner: { M: { n: { N: '1' }, s: { S: 's' } } }, tags: { SS: ['a', 'b'] } } },
  list: { L: [{ S: 'zero' }, { S: 'one' }, { M: { n: { N: '2' } } }, { S: 'three' }] },
}
const M = { '#m': 'map' }
const L = { '#l': 'list' }
const BAD_PATH = 'The document path provided in the update expression is invalid for update'

const overlap = (one: string, two: string) =>
  'Invalid UpdateExpression: Two document paths overlap with each other; ' +
  `must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`
const conflict = (one: string, two: string) =>
  'Invalid UpdateExpression: Two document paths conflict with each other; ' +
  `must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`

/** Update expressions within documents. */
export const updatePathCases = cases('updateItem', {
  'SET writes into maps, over members and beside them': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    const { map, list } = await trial.updated('SET #m.#i.n = #m.#i.n + :v, #m.fresh = #m.#i.s', {
      ...M,
      '#i': 'inner',
      ':v': { N: '10' },
    })
    same(map, {
      M: {
        inner: { M: { n: { N: '11' }, s: { S: 's' } } },
        tags: { SS: ['a', 'b'] },
        fresh: { S: 's' },
      },
    })
    same(list, DOCUMENT.list)
  },
  'SET writes elements of lists, and appends beyond their end': async bench => {
    const trial = await Trial.of(bench, { list: { L: [{ S: 'a' }, { S: 'b' }] }, empty: { L: [] } })
    const given = { ...L, '#e': 'empty', ':x': { S: 'x' }, ':y': { S: 'y' }, ':z': { S: 'z' } }
    same(await trial.updated('SET #l[1] = :x, #l[9] = :z, #l[5] = :y, #e[3] = :x', given), {
      list: { L: [{ S: 'a' }, { S: 'x' }, { S: 'y' }, { S: 'z' }] },
      empty: { L: [{ S: 'x' }] },
    })
  },
  'SET writes into maps within lists': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    const { list } = await trial.updated('SET #l[2].n = :v, #l[2].fresh = :v', { ...L, ':v': { BOOL: true } })
    same(list, {
      L: [{ S: 'zero' }, { S: 'one' }, { M: { n: { BOOL: true }, fresh: { BOOL: true } } }, { S: 'three' }],
    })
  },
  'REMOVE closes the ranks of a list, by its indexes before the update': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    const { list } = await trial.updated('REMOVE #l[0], #l[2], #l[7]', L)
    same(list, { L: [{ S: 'one' }, { S: 'three' }] })
    same((await trial.updated('SET #l[0] = :v REMOVE #l[1]', { ...L, ':v': { S: 'new' } })).list, {
      L: [{ S: 'new' }],
    })
    same((await trial.updated('REMOVE #l[0]', L)).list, { L: [] })
  },
  'REMOVE takes members out of maps, and leaves an empty map': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    const given = { ...M, '#i': 'inner', '#a': 'absent' }
    same((await trial.updated('REMOVE #m.#i.n, #m.tags, #m.#a', given)).map, {
      M: { inner: { M: { s: { S: 's' } } } },
    })
    same((await trial.updated('REMOVE #m.#i', { ...M, '#i': 'inner' })).map, { M: {} })
  },
  'ADD and DELETE work within documents': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    const given = { ...M, ...L, '#i': 'inner', ':one': { N: '1' }, ':b': { SS: ['b'] }, ':c': { SS: ['c'] } }
    const { map, list } = await trial.updated('ADD #m.#i.n :one, #l[2].n :one, #m.fresh :c DELETE #m.tags :b', given)
    same(map, {
      M: { inner: { M: { n: { N: '2' }, s: { S: 's' } } }, tags: { SS: ['a'] }, fresh: { SS: ['c'] } },
    })
    same(list, { L: [{ S: 'zero' }, { S: 'one' }, { M: { n: { N: '3' } } }, { S: 'three' }] })
  },
  'a path through what is not there is refused': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    const v = { ':v': { N: '1' } }
    await invalid(trial.update('SET absent.a = :v', v), BAD_PATH)
    await invalid(trial.update('SET #m.absent.a = :v', { ...M, ...v }), BAD_PATH)
    await invalid(trial.update('SET absent[0] = :v', v), BAD_PATH)
    await invalid(trial.update('SET #l[9].a = :v', { ...L, ...v }), BAD_PATH)
    await invalid(trial.update('ADD absent.a :v', v), BAD_PATH)
    await invalid(trial.update('REMOVE absent.a'), BAD_PATH)
    await invalid(trial.update('REMOVE absent[0]'), BAD_PATH)
    await invalid(trial.update('DELETE absent.a :v', { ':v': { SS: ['a'] } }), BAD_PATH)
    same(await trial.attributes(), DOCUMENT)
  },
  'a path through a value of another type is refused': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    const v = { ':v': { N: '1' } }
    await invalid(trial.update('SET #m[0] = :v', { ...M, ...v }), BAD_PATH)
    await invalid(trial.update('SET #l.a = :v', { ...L, ...v }), BAD_PATH)
    await invalid(trial.update('SET #l[0].a = :v', { ...L, ...v }), BAD_PATH)
    await invalid(trial.update('REMOVE #l.a', L), BAD_PATH)
    await invalid(trial.update('REMOVE #m[0]', M), BAD_PATH)
    same(await trial.attributes(), DOCUMENT)
  },
  'paths that overlap are refused, in one clause or in two': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    const v = { ':v': { N: '1' } }
    await invalidRequest(trial.update('SET a = :v, a = :v', v), overlap('[a]', '[a]'))
    await invalidRequest(trial.update('SET a = :v REMOVE a', v), overlap('[a]', '[a]'))
    await invalidRequest(trial.update('SET a = :v ADD #a :v', { ...v, '#a': 'a' }), overlap('[a]', '[a]'))
    await invalidRequest(trial.update('SET a.b = :v, a.b.c = :v', v), overlap('[a, b]', '[a, b, c]'))
    await invalidRequest(trial.update('SET a[0].b = :v, a[0] = :v', v), overlap('[a, [0], b]', '[a, [0]]'))
    await invalidRequest(trial.update('REMOVE a, a[1]'), overlap('[a]', '[a, [1]]'))
  },
  'paths that take one place for a map and for a list are refused': async bench => {
    const trial = await Trial.of(bench, DOCUMENT)
    await invalidRequest(trial.update('SET a.b = :v, a[0] = :v', { ':v': { N: '1' } }), conflict('[a, b]', '[a, [0]]'))
    await invalidRequest(trial.update('REMOVE a.b[1], a.b.c'), conflict('[a, b, [1]]', '[a, b, c]'))
  },
  'a dot in an alias does not part a path': async bench => {
    const trial = await Trial.of(bench, { map: { M: {} } })
    same(await trial.updated('SET #d = :v, #m.#d = :v', { ...M, '#d': 'map.x', ':v': { N: '1' } }), {
      map: { M: { 'map.x': { N: '1' } } },
      'map.x': { N: '1' },
    })
  },
})
