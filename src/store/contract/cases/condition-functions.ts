import { ATTRIBUTE_TYPES, type AttributeValue, type Item } from '../../../dynamodb/attribute-value.js'
import { same } from '../expect.js'
import { conditionCases } from './condition-trial.js'

const OF_EACH_TYPE = {
  S: { S: '' },
  N: { N: '0' },
  B: { B: new Uint8Array() },
  SS: { SS: ['a'] },
  NS: { NS: ['1'] },
  BS: { BS: [Uint8Array.of(1)] },
  M: { M: {} },
  L: { L: [] },
  NULL: { NULL: true },
  BOOL: { BOOL: false },
} satisfies Item

const text = (S: string): AttributeValue => ({ S })

/** The functions that a condition may call. */
export const conditionFunctionCases = conditionCases(
  {
    word: { S: 'graph store' },
    bytes: { B: Uint8Array.of(1, 2, 3, 4) },
    number: { N: '1234' },
    tags: { SS: ['red', 'green'] },
    primes: { NS: ['2', '3', '5'] },
    blobs: { BS: [Uint8Array.of(1, 2), Uint8Array.of(3)] },
    list: { L: [{ S: 'a' }, { N: '1' }, { L: [{ S: 'b' }] }, { M: { k: { S: 'v' } } }] },
    map: { M: { inner: { S: 'x' }, blank: { NULL: true } } },
    flag: { BOOL: true },
    prefix: { S: 'graph' },
  },
  {
    'attribute_exists holds for what is there, whatever its value': async trial => {
      const item = await trial.with(OF_EACH_TYPE)
      for (const type of ATTRIBUTE_TYPES) {
        same(await item.holds('attribute_exists(#a)', { '#a': type }), true)
        same(await item.holds('attribute_not_exists(#a)', { '#a': type }), false)
      }
      same(await item.holds('attribute_exists(absent)'), false)
      same(await item.holds('attribute_not_exists(absent)'), true)
      same(await item.holds('attribute_exists(pk)'), true)
    },
    'attribute_exists looks into maps and lists': async trial => {
      same(await trial.holds('attribute_exists(#m.blank)', { '#m': 'map' }), true)
      same(await trial.holds('attribute_exists(#m.another)', { '#m': 'map' }), false)
      same(await trial.holds('attribute_exists(#l[3].k)', { '#l': 'list' }), true)
      same(await trial.holds('attribute_not_exists(#l[4])', { '#l': 'list' }), true)
    },
    'attribute_type holds for the type of the attribute alone': async trial => {
      const item = await trial.with(OF_EACH_TYPE)
      for (const type of ATTRIBUTE_TYPES)
        for (const asked of ATTRIBUTE_TYPES)
          same(await item.holds('attribute_type(#a, :t)', { '#a': type, ':t': text(asked) }), type === asked)
      same(await item.holds('attribute_type(absent, :t)', { ':t': text('S') }), false)
    },
    'begins_with holds for the beginning of a string or a binary': async trial => {
      same(await trial.holds('begins_with(word, :p)', { ':p': text('graph') }), true)
      same(await trial.holds('begins_with(word, :p)', { ':p': text('graph store') }), true)
      same(await trial.holds('begins_with(word, :p)', { ':p': text('graph stores') }), false)
      same(await trial.holds('begins_with(word, :p)', { ':p': text('Graph') }), false)
      same(await trial.holds('begins_with(word, :p)', { ':p': text('') }), true)
      same(await trial.holds('begins_with(word, prefix)'), true)
      same(await trial.holds('begins_with(:w, prefix)', { ':w': text('graphite') }), true)
      const bytes = { '#b': 'bytes' }
      same(await trial.holds('begins_with(#b, :p)', { ...bytes, ':p': { B: Uint8Array.of(1, 2) } }), true)
      same(await trial.holds('begins_with(#b, :p)', { ...bytes, ':p': { B: Uint8Array.of(2) } }), false)
      same(await trial.holds('begins_with(#b, :p)', { ...bytes, ':p': text('\u0001') }), false)
      same(await trial.holds('begins_with(absent, :p)', { ':p': text('a') }), false)
      same(await trial.holds('begins_with(#n, :p)', { '#n': 'number', ':p': text('1') }), false)
    },
    'contains holds for a part of a string or a binary': async trial => {
      same(await trial.holds('contains(word, :p)', { ':p': text('ph st') }), true)
      same(await trial.holds('contains(word, :p)', { ':p': text('') }), true)
      same(await trial.holds('contains(word, :p)', { ':p': text('Store') }), false)
      same(await trial.holds('contains(#b, :p)', { '#b': 'bytes', ':p': { B: Uint8Array.of(2, 3) } }), true)
      same(await trial.holds('contains(#b, :p)', { '#b': 'bytes', ':p': { B: Uint8Array.of(2, 4) } }), false)
      same(await trial.holds('contains(word, prefix)'), true)
      same(await trial.holds('contains(:w, prefix)', { ':w': text('a graph') }), true)
      same(await trial.holds('contains(word, :p)', { ':p': { N: '1' } }), false)
      same(await trial.holds('contains(absent, :p)', { ':p': text('a') }), false)
    },
    'contains holds for a member of a set': async trial => {
      same(await trial.holds('contains(tags, :p)', { ':p': text('red') }), true)
      same(await trial.holds('contains(tags, :p)', { ':p': text('re') }), false)
      same(await trial.holds('contains(primes, :p)', { ':p': { N: '3.0' } }), true)
      same(await trial.holds('contains(primes, :p)', { ':p': { N: '4' } }), false)
      same(await trial.holds('contains(primes, :p)', { ':p': text('3') }), false)
      same(await trial.holds('contains(blobs, :p)', { ':p': { B: Uint8Array.of(1, 2) } }), true)
      same(await trial.holds('contains(blobs, :p)', { ':p': { B: Uint8Array.of(1) } }), false)
    },
    'contains holds for an element of a list, of any type': async trial => {
      const list = { '#l': 'list' }
      same(await trial.holds('contains(#l, :p)', { ...list, ':p': text('a') }), true)
      same(await trial.holds('contains(#l, :p)', { ...list, ':p': { N: '1' } }), true)
      same(await trial.holds('contains(#l, :p)', { ...list, ':p': text('1') }), false)
      same(await trial.holds('contains(#l, :p)', { ...list, ':p': text('b') }), false)
      same(await trial.holds('contains(#l[2], :p)', { ...list, ':p': text('b') }), true)
    },
    'contains does not look into maps or numbers': async trial => {
      same(await trial.holds('contains(#m, :p)', { '#m': 'map', ':p': text('inner') }), false)
      same(await trial.holds('contains(#n, :p)', { '#n': 'number', ':p': text('2') }), false)
    },
    'size counts bytes, members and elements': async trial => {
      const sizes = { word: 11, bytes: 4, tags: 2, primes: 3, blobs: 2, list: 4, map: 2 }
      for (const [name, size] of Object.entries(sizes)) {
        same(await trial.holds('size(#a) = :n', { '#a': name, ':n': { N: `${size}` } }), true)
        same(await trial.holds('size(#a) > :n', { '#a': name, ':n': { N: `${size}` } }), false)
      }
      const item = await trial.with({ a: { S: '' }, b: { L: [] }, c: { B: new Uint8Array() }, d: { M: {} } })
      for (const name of ['a', 'b', 'c', 'd'])
        same(await item.holds('size(#a) = :n', { '#a': name, ':n': { N: '0' } }), true)
    },
    'size of a number, a truth value or nothing has no value': async trial => {
      for (const name of ['number', 'flag', 'absent'])
        for (const operator of ['=', '<', '>', '>='])
          same(await trial.holds(`size(#a) ${operator} :n`, { '#a': name, ':n': { N: '1' } }), false)
      same(await trial.holds('size(#m.blank) = :n', { '#m': 'map', ':n': { N: '1' } }), false)
    },
    'size stands wherever an operand does': async trial => {
      same(await trial.holds('size(tags) < size(primes)'), true)
      same(await trial.holds('size(tags) BETWEEN :a AND size(primes)', { ':a': { N: '2' } }), true)
      same(await trial.holds('size(tags) IN (:a, size(blobs))', { ':a': { N: '9' } }), true)
      same(await trial.holds('size(:v) = size(tags)', { ':v': text('ab') }), true)
      same(await trial.holds('size(#l[2]) = :n', { '#l': 'list', ':n': { N: '1' } }), true)
    },
  },
)
