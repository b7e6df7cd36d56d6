import { ATTRIBUTE_TYPES, type AttributeValue, type Item } from '../../../dynamodb/attribute-value.js'
import { expectEqual } from '../../assertions.js'
import { defineConditionCases } from './condition-trial.js'

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

const textAttribute = (S: string): AttributeValue => ({ S })

/** Cases of the functions in conditions. */
export const conditionFunctionCases = defineConditionCases(
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
    'attribute_exists holds for an existing attribute with any value': async trial => {
      const item = await trial.withAttributes(OF_EACH_TYPE)
      for (const type of ATTRIBUTE_TYPES) {
        expectEqual(await item.isMet('attribute_exists(#a)', { '#a': type }), true)
        expectEqual(await item.isMet('attribute_not_exists(#a)', { '#a': type }), false)
      }
      expectEqual(await item.isMet('attribute_exists(absent)'), false)
      expectEqual(await item.isMet('attribute_not_exists(absent)'), true)
      expectEqual(await item.isMet('attribute_exists(pk)'), true)
    },
    'attribute_exists reaches into maps and lists': async trial => {
      expectEqual(await trial.isMet('attribute_exists(#m.blank)', { '#m': 'map' }), true)
      expectEqual(await trial.isMet('attribute_exists(#m.another)', { '#m': 'map' }), false)
      expectEqual(await trial.isMet('attribute_exists(#l[3].k)', { '#l': 'list' }), true)
      expectEqual(await trial.isMet('attribute_not_exists(#l[4])', { '#l': 'list' }), true)
    },
    'attribute_type holds only for the type of the attribute': async trial => {
      const item = await trial.withAttributes(OF_EACH_TYPE)
      for (const type of ATTRIBUTE_TYPES)
        for (const asked of ATTRIBUTE_TYPES)
          expectEqual(
            await item.isMet('attribute_type(#a, :t)', { '#a': type, ':t': textAttribute(asked) }),
            type === asked,
          )
      expectEqual(await item.isMet('attribute_type(absent, :t)', { ':t': textAttribute('S') }), false)
    },
    'begins_with holds for the beginning of a string or a binary': async trial => {
      expectEqual(await trial.isMet('begins_with(word, :p)', { ':p': textAttribute('graph') }), true)
      expectEqual(await trial.isMet('begins_with(word, :p)', { ':p': textAttribute('graph store') }), true)
      expectEqual(await trial.isMet('begins_with(word, :p)', { ':p': textAttribute('graph stores') }), false)
      expectEqual(await trial.isMet('begins_with(word, :p)', { ':p': textAttribute('Graph') }), false)
      expectEqual(await trial.isMet('begins_with(word, :p)', { ':p': textAttribute('') }), true)
      expectEqual(await trial.isMet('begins_with(word, prefix)'), true)
      expectEqual(await trial.isMet('begins_with(:w, prefix)', { ':w': textAttribute('graphite') }), true)
      const bytes = { '#b': 'bytes' }
      expectEqual(await trial.isMet('begins_with(#b, :p)', { ...bytes, ':p': { B: Uint8Array.of(1, 2) } }), true)
      expectEqual(await trial.isMet('begins_with(#b, :p)', { ...bytes, ':p': { B: Uint8Array.of(2) } }), false)
      expectEqual(await trial.isMet('begins_with(#b, :p)', { ...bytes, ':p': textAttribute('\u0001') }), false)
      expectEqual(await trial.isMet('begins_with(absent, :p)', { ':p': textAttribute('a') }), false)
      expectEqual(await trial.isMet('begins_with(#n, :p)', { '#n': 'number', ':p': textAttribute('1') }), false)
    },
    'contains holds for a substring of a string or a binary': async trial => {
      expectEqual(await trial.isMet('contains(word, :p)', { ':p': textAttribute('ph st') }), true)
      expectEqual(await trial.isMet('contains(word, :p)', { ':p': textAttribute('') }), true)
      expectEqual(await trial.isMet('contains(word, :p)', { ':p': textAttribute('Store') }), false)
      expectEqual(await trial.isMet('contains(#b, :p)', { '#b': 'bytes', ':p': { B: Uint8Array.of(2, 3) } }), true)
      expectEqual(await trial.isMet('contains(#b, :p)', { '#b': 'bytes', ':p': { B: Uint8Array.of(2, 4) } }), false)
      expectEqual(await trial.isMet('contains(word, prefix)'), true)
      expectEqual(await trial.isMet('contains(:w, prefix)', { ':w': textAttribute('a graph') }), true)
      expectEqual(await trial.isMet('contains(word, :p)', { ':p': { N: '1' } }), false)
      expectEqual(await trial.isMet('contains(absent, :p)', { ':p': textAttribute('a') }), false)
    },
    'contains holds for a member of a set': async trial => {
      expectEqual(await trial.isMet('contains(tags, :p)', { ':p': textAttribute('red') }), true)
      expectEqual(await trial.isMet('contains(tags, :p)', { ':p': textAttribute('re') }), false)
      expectEqual(await trial.isMet('contains(primes, :p)', { ':p': { N: '3.0' } }), true)
      expectEqual(await trial.isMet('contains(primes, :p)', { ':p': { N: '4' } }), false)
      expectEqual(await trial.isMet('contains(primes, :p)', { ':p': textAttribute('3') }), false)
      expectEqual(await trial.isMet('contains(blobs, :p)', { ':p': { B: Uint8Array.of(1, 2) } }), true)
      expectEqual(await trial.isMet('contains(blobs, :p)', { ':p': { B: Uint8Array.of(1) } }), false)
    },
    'contains holds for an element of a list, of any type': async trial => {
      const list = { '#l': 'list' }
      expectEqual(await trial.isMet('contains(#l, :p)', { ...list, ':p': textAttribute('a') }), true)
      expectEqual(await trial.isMet('contains(#l, :p)', { ...list, ':p': { N: '1' } }), true)
      expectEqual(await trial.isMet('contains(#l, :p)', { ...list, ':p': textAttribute('1') }), false)
      expectEqual(await trial.isMet('contains(#l, :p)', { ...list, ':p': textAttribute('b') }), false)
      expectEqual(await trial.isMet('contains(#l[2], :p)', { ...list, ':p': textAttribute('b') }), true)
    },
    'contains does not look into maps or numbers': async trial => {
      expectEqual(await trial.isMet('contains(#m, :p)', { '#m': 'map', ':p': textAttribute('inner') }), false)
      expectEqual(await trial.isMet('contains(#n, :p)', { '#n': 'number', ':p': textAttribute('2') }), false)
    },
    'size counts bytes, members and elements': async trial => {
      const sizes = { word: 11, bytes: 4, tags: 2, primes: 3, blobs: 2, list: 4, map: 2 }
      for (const [name, size] of Object.entries(sizes)) {
        expectEqual(await trial.isMet('size(#a) = :n', { '#a': name, ':n': { N: `${size}` } }), true)
        expectEqual(await trial.isMet('size(#a) > :n', { '#a': name, ':n': { N: `${size}` } }), false)
      }
      const item = await trial.withAttributes({ a: { S: '' }, b: { L: [] }, c: { B: new Uint8Array() }, d: { M: {} } })
      for (const name of ['a', 'b', 'c', 'd'])
        expectEqual(await item.isMet('size(#a) = :n', { '#a': name, ':n': { N: '0' } }), true)
    },
    'size is undefined for a number, a boolean or a missing attribute': async trial => {
      for (const name of ['number', 'flag', 'absent'])
        for (const operator of ['=', '<', '>', '>='])
          expectEqual(await trial.isMet(`size(#a) ${operator} :n`, { '#a': name, ':n': { N: '1' } }), false)
      expectEqual(await trial.isMet('size(#m.blank) = :n', { '#m': 'map', ':n': { N: '1' } }), false)
    },
    'size is valid at every position of an operand': async trial => {
      expectEqual(await trial.isMet('size(tags) < size(primes)'), true)
      expectEqual(await trial.isMet('size(tags) BETWEEN :a AND size(primes)', { ':a': { N: '2' } }), true)
      expectEqual(await trial.isMet('size(tags) IN (:a, size(blobs))', { ':a': { N: '9' } }), true)
      expectEqual(await trial.isMet('size(:v) = size(tags)', { ':v': textAttribute('ab') }), true)
      expectEqual(await trial.isMet('size(#l[2]) = :n', { '#l': 'list', ':n': { N: '1' } }), true)
    },
  },
)
