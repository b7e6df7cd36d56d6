import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES, STATEMENT_CHARACTERS } from '../../../dynamodb/limits.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { binaryValue, numericValue, sharedFixture, stringValue } from '../../fixtures/test-partition.js'
import { PartiqlPartition } from './partiql-partition.js'

const ROW = {
  word: stringValue('abc'),
  steps: { L: [numericValue(1), stringValue('x')] },
  map: { M: { x: numericValue(1), 'odd name': { L: [numericValue(5)] } } },
  tags: { SS: ['a', 'b'] },
  none: { NULL: true },
  flag: { BOOL: true },
}
const sharedRows = sharedFixture(bench =>
  PartiqlPartition.of(
    bench,
    'compositeN',
    { sk: numericValue(1), amount: numericValue(10), ...ROW },
    { sk: numericValue(2), amount: numericValue(20), ...ROW, word: stringValue('abd') },
    { sk: numericValue(3), amount: numericValue(30), bytes: binaryValue(1, 2) },
  ),
)

export const partiqlSelectCases = defineCases('executeStatement', {
  'SELECT by the whole key finds the item, or nothing': async bench => {
    const stating = await sharedRows(bench)
    expectEqual(await stating.execute('SELECT * FROM TABLE WHERE pk = PK AND sk = 3'), { Items: [stating.items[2]] })
    expectEqual(await stating.execute('SELECT * FROM TABLE WHERE pk = PK AND sk = 4'), { Items: [] })
  },

  'SELECT by the partition key finds its items in the order of the sort key': async bench => {
    const stating = await sharedRows(bench)
    expectEqual(await stating.select('SELECT * FROM TABLE WHERE pk = PK'), stating.items)
    expectEqual(await stating.findSortKeys('sk > 1'), ['2', '3'])
    expectEqual(await stating.findSortKeys('sk BETWEEN 2 AND 3'), ['2', '3'])
    expectEqual(await stating.findSortKeys('sk IN [1, 3]'), ['1', '3'])
    expectEqual(await stating.findSortKeys('(sk = 1 OR sk = 3)'), ['1', '3'])
  },

  'SELECT without a key scans the table': async bench => {
    const stating = await sharedRows(bench)
    const found = await allPages(stating, 'SELECT pk, sk FROM TABLE WHERE amount >= 20 AND contains(pk, PK)')
    expectEqual(
      found.map(item => item.sk),
      [numericValue(2), numericValue(3)],
    )
  },

  'SELECT combines two conditions on the sort key': async bench => {
    const stating = await sharedRows(bench)
    const found = await allPages(stating, 'SELECT sk FROM TABLE WHERE pk = PK AND sk > 1 AND sk < 3')
    expectEqual(found, [{ sk: numericValue(2) }])
  },

  'SELECT returns the named paths under the last name of each': async bench => {
    const stating = await sharedRows(bench)
    const select = (what: string) => stating.select(`SELECT ${what} FROM TABLE WHERE pk = PK AND sk = 1`)
    expectEqual(await select('sk, word'), [{ sk: numericValue(1), word: stringValue('abc') }])
    expectEqual(await select('map.x, steps[1]'), [{ x: numericValue(1), 'steps[1]': stringValue('x') }])
    expectEqual(await select(`map['x'], "map"."odd name"[0]`), [{ x: numericValue(1), 'odd name[0]': numericValue(5) }])
    expectEqual(await select('absent, map.none'), [{}])
  },

  'keywords are case-insensitive, and names are case-sensitive': async bench => {
    const stating = await sharedRows(bench)
    expectEqual(await stating.select('select sk, WORD from TABLE where pk = PK and sk = 1'), [{ sk: numericValue(1) }])
  },

  'comparisons accept values on either side': async bench => {
    const { where } = await createConditionReader(bench)
    expectEqual(await where('amount = 10'), ['1'])
    expectEqual(await where('amount <> 10'), ['2', '3'])
    expectEqual(await where('amount != 10'), ['2', '3'])
    expectEqual(await where('amount < 20'), ['1'])
    expectEqual(await where('20 <= amount'), ['2', '3'])
    expectEqual(await where('amount BETWEEN 15 AND 30'), ['2', '3'])
    expectEqual(await where('amount NOT BETWEEN 15 AND 30'), ['1'])
    expectEqual(await where('amount IN (10, 30)'), ['1', '3'])
    expectEqual(await where('amount NOT IN [10, 30]'), ['2'])
    expectEqual(await where(`word = "word2" OR word = 'abd'`), ['2'])
  },

  'conditions can be joined, negated and grouped': async bench => {
    const { where } = await createConditionReader(bench)
    expectEqual(await where('(amount = 10 OR amount = 30) AND NOT flag = true'), ['3'])
    expectEqual(await where('NOT (amount = 10 OR amount = 30)'), ['2'])
    expectEqual(await where('(amount = 10) = true'), ['1'])
    expectEqual(await where('attribute_exists(word) = false'), ['3'])
  },

  'a begins_with range does not overlap a range below it': async bench => {
    const stating = await PartiqlPartition.of(
      bench,
      'composite',
      ...['w', 'x', 'xy', 'y'].map(sk => ({ sk: stringValue(sk) })),
    )
    const items = await stating.select(
      `SELECT sk FROM TABLE WHERE pk = PK AND begins_with(sk, 'x') OR pk = PK AND sk < 'x'`,
    )
    expectEqual(items.map(({ sk }) => sk!.S).sort(), ['w', 'x', 'xy'])
  },

  'the length of a statement counts characters, not bytes': async bench => {
    const stating = await PartiqlPartition.of(bench, 'composite')
    const words = (face: string) => stating.toStatement(`SELECT * FROM TABLE WHERE pk = '${face}'`)
    const faces = (length: number) => words('\u{1f600}'.repeat(length - words('').length))
    await expectValidationError(stating.execute(faces(STATEMENT_CHARACTERS)), /Size of hashkey has exceeded/)
    await expectValidationError(
      stating.execute(faces(STATEMENT_CHARACTERS + 1)),
      /at 'statement' failed to satisfy constraint: Member must have length less than or equal to 8192$/,
    )
  },

  'a single key that exceeds the key length is rejected': async bench => {
    const stating = await PartiqlPartition.of(bench, 'composite', { sk: stringValue('a') })
    const invalidKey = (words: string) => `One or more parameter values were invalid: ${words}`
    const noPartition = invalidKey('Size of hashkey has exceeded the maximum size limit of2048 bytes')
    const noSort = invalidKey('Aggregated size of all range keys has exceeded the size limit of 1024 bytes')
    const partition = 'k'.repeat(PARTITION_KEY_BYTES + 1)
    const sort = 's'.repeat(SORT_KEY_BYTES + 1)
    const select = (where: string, index = '') => stating.select(`SELECT pk FROM TABLE${index} WHERE ${where}`)
    for (const more of [
      '',
      ` AND sk = '${sort}'`,
      ' AND n = 1',
      ' AND (n = 1 OR n = 2)',
      ` AND (sk = 'a' OR sk = 'b')`,
    ])
      await expectValidationError(select(`pk = '${partition}'${more}`), noPartition)
    for (const which of [
      `sk = '${sort}'`,
      `sk > '${sort}'`,
      `sk BETWEEN 'a' AND '${sort}'`,
      `begins_with(sk, '${sort}')`,
      `sk IN ['${sort}']`,
    ])
      await expectValidationError(select(`pk = PK AND ${which}`), noSort)
    await expectValidationError(select(`pk = PK AND "local" = '${sort}'`, '."byLocal"'), noSort)
    for (const runs of [
      `pk = '${partition}' OR pk = 'k'`,
      `pk IN ['${partition}', 'k']`,
      `pk = PK AND (sk = 'b' OR sk = '${sort}')`,
      `pk = PK AND sk = '${sort.slice(1)}'`,
    ])
      expectEqual(await select(runs), [])
  },

  'a predicate function returns a boolean that can be compared': async bench => {
    const stating = await PartiqlPartition.of(
      bench,
      'compositeN',
      { sk: numericValue(1), a: numericValue(1), b: { BOOL: true } },
      { sk: numericValue(2), a: numericValue(1), b: { BOOL: false } },
      { sk: numericValue(3), b: { BOOL: false } },
      { sk: numericValue(4), a: numericValue(1) },
      { sk: numericValue(5), a: numericValue(1), b: stringValue('true') },
    )
    const where = (condition: string, given?: AttributeValue) => stating.findSortKeys(condition, given && [given])
    expectEqual(await where('attribute_exists(a) = b'), ['1', '3'])
    expectEqual(await where('b = attribute_exists(a)'), ['1', '3'])
    expectEqual(await where('attribute_exists(a) <> b'), ['2', '4', '5'])
    expectEqual(await where('attribute_exists(a) = attribute_exists(b)'), ['1', '2', '5'])
    expectEqual(await where('attribute_exists(a) = size(b)'), [])
    expectEqual(await where('attribute_exists(a) <> ?', stringValue('true')), ['1', '2', '3', '4', '5'])
    expectEqual(await where('attribute_exists(a) IN [b, ?]', { BOOL: false }), ['1', '3'])
    expectEqual(await where('b NOT IN [attribute_exists(a)]'), ['2', '4', '5'])
    expectEqual(await where('? IN [attribute_exists(b)]', { BOOL: false }), ['4'])
  },

  'function names in conditions are case-insensitive': async bench => {
    const { where } = await createConditionReader(bench)
    expectEqual(await where(`begins_with(word, 'abc')`), ['1'])
    expectEqual(await where(`CONTAINS(tags, 'a')`), ['1', '2'])
    expectEqual(await where(`contains(word, 'bd')`), ['2'])
    expectEqual(await where(`attribute_type(steps, 'L')`), ['1', '2'])
    expectEqual(await where('attribute_exists(map.x)'), ['1', '2'])
    expectEqual(await where('attribute_not_exists(map."odd name")'), ['3'])
    expectEqual(await where('size(word) = 3 AND size(steps) < size(word)'), ['1', '2'])
  },

  'IS tests the type of a value': async bench => {
    const { where } = await createConditionReader(bench)
    expectEqual(await where('word IS MISSING'), ['3'])
    expectEqual(await where('word IS NOT MISSING'), ['1', '2'])
    expectEqual(await where('none IS NULL'), ['1', '2'])
    expectEqual(await where('none IS NOT NULL'), ['3'])
    expectEqual(await where('word IS STRING AND amount IS NUMERIC AND flag IS BOOL'), ['1', '2'])
    expectEqual(await where('map IS STRUCT AND map IS TUPLE AND steps IS LIST'), ['1', '2'])
    expectEqual(await where('bytes IS BLOB'), ['3'])
  },

  'literals exist for every type that PartiQL can express': async bench => {
    const { where } = await createConditionReader(bench)
    expectEqual(await where(`word = 'ab' OR word = 'abc'`), ['1'])
    expectEqual(await where('amount = 1e1 OR amount = .2E+2 OR amount = -3'), ['1', '2'])
    expectEqual(await where(`steps = [1, 'x']`), ['1', '2'])
    expectEqual(await where(`map = {'odd name': [5], 'x': 1}`), ['1', '2'])
    expectEqual(await where(`tags = <<'b', 'a'>>`), ['1', '2'])
    expectEqual(await where('none = NULL AND flag = TRUE'), ['1', '2'])
  },

  'question marks stand for parameters, and extra parameters are ignored': async bench => {
    const stating = await sharedRows(bench)
    expectEqual(await stating.findSortKeys('amount > ? AND word = ?', [numericValue(5), stringValue('abd')]), ['2'])
    expectEqual(await stating.findSortKeys('bytes = ?', [binaryValue(1, 2)]), ['3'])
    expectEqual(await stating.findSortKeys('amount IN (?, ?)', [numericValue(10), numericValue(30)]), ['1', '3'])
    expectEqual(await stating.findSortKeys('amount = 10', [numericValue(5)]), ['1'])
  },

  'a sign belongs to the number after it, and two signs are rejected': async bench => {
    const stating = await sharedRows(bench)
    expectEqual(await stating.findSortKeys('amount = + 10'), ['1'])
    expectEqual(await stating.findSortKeys('amount = - -10'), ['1'])
    expectEqual(await stating.findSortKeys('amount > - 10 AND sk = 1'), ['1'])
  },

  'comments count as whitespace': async bench => {
    const stating = await sharedRows(bench)
    expectEqual(
      await stating.select('-- what\nSELECT sk /* which */ FROM TABLE -- from\nWHERE pk = PK AND sk = 1 -- end'),
      [{ sk: numericValue(1) }],
    )
  },

  'ORDER BY the sort key reads in that direction': async bench => {
    const stating = await sharedRows(bench)
    const ordered = async (order: string) =>
      (await stating.select(`SELECT sk FROM TABLE WHERE pk = PK ORDER BY ${order}`)).map(item => item.sk!.N)
    expectEqual(await ordered('sk'), ['1', '2', '3'])
    expectEqual(await ordered('sk ASC'), ['1', '2', '3'])
    expectEqual(await ordered('sk DESC'), ['3', '2', '1'])
    expectEqual(await ordered('pk ASC, sk DESC'), ['3', '2', '1'])
    expectEqual(await ordered('sk NULLS FIRST'), ['1', '2', '3'])
    expectEqual(await ordered('sk DESC nulls last'), ['3', '2', '1'])
  },

  'IN and OR read several partitions': async bench => {
    const one = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1) }, { sk: numericValue(2) })
    const two = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1) })
    const keys = (words: string) =>
      one.select(`SELECT pk, sk FROM TABLE WHERE ${words.replace('OTHER', `'${two.pk}'`)}`)
    const both = [...one.items, ...two.items]
    expectEqual(await keys('pk IN [PK, OTHER]'), both)
    expectEqual(await keys('pk = PK OR pk = OTHER'), both)
    expectEqual(await keys('pk IN (PK, OTHER) AND sk = 1'), [one.items[0], two.items[0]])
    expectEqual(await keys('pk = PK AND sk = 2 OR pk = OTHER AND sk = 1'), [one.items[1], two.items[0]])
    expectEqual(await keys('pk IN [OTHER, PK] ORDER BY pk ASC, sk DESC'), [one.items[1], one.items[0], two.items[0]])
  },

  'ORDER BY sorts partitions and the items of each': async bench => {
    const { sorts, own } = await twoPartitions(bench)
    expectEqual(await sorts('pk IN [PK, OTHER] AND sk < 3 ORDER BY pk, sk'), ['a1', 'a2', 'b1', 'b2'])
    expectEqual(await sorts('pk IN [PK, OTHER] AND sk < 3 ORDER BY pk DESC, sk'), ['b1', 'b2', 'a1', 'a2'])
    expectEqual(await sorts('pk IN [PK, OTHER] AND sk < 3 ORDER BY pk DESC, sk DESC'), ['b2', 'b1', 'a2', 'a1'])
    expectEqual(await sorts('pk = PK AND (sk > 3 OR sk < 3) ORDER BY pk, sk'), [`${own}1`, `${own}2`, `${own}4`])
    expectEqual(await sorts('pk = PK AND (sk < 2 OR sk > 3) ORDER BY pk, sk DESC'), [`${own}4`, `${own}1`])
  },

  'ORDER BY sorts partitions with listed sort keys': async bench => {
    const { sorts } = await twoPartitions(bench)
    const backwards = await sorts('pk IN [OTHER, PK] AND sk IN [2, 4, 1] ORDER BY pk, sk DESC')
    expectEqual(backwards, ['a4', 'a2', 'a1', 'b4', 'b2', 'b1'])
  },

  'the sort key can stand on either side of a comparison': async bench => {
    const stating = await sharedRows(bench)
    expectEqual(await stating.findSortKeys('2 = sk'), ['2'])
    expectEqual(await stating.findSortKeys('2 < sk'), ['3'])
    expectEqual(await stating.findSortKeys('2 <= sk'), ['2', '3'])
    expectEqual(await stating.findSortKeys('2 > sk'), ['1'])
    expectEqual(await stating.findSortKeys('2 >= sk'), ['1', '2'])
  },

  'a missing table is reported': async bench => {
    await expectRejection(
      bench.service.executeStatement({ Statement: `SELECT * FROM "there-is-no-such-table" WHERE pk = 'a'` }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  },
})

async function createConditionReader(
  bench: Parameters<typeof sharedRows>[0],
): Promise<{ where: PartiqlPartition['findSortKeys'] }> {
  const stating = await sharedRows(bench)
  return { where: (condition, given) => stating.findSortKeys(condition, given) }
}

/** Returns the items of all pages. */
async function allPages(stating: PartiqlPartition, words: string) {
  const first = await stating.execute(words, undefined, { ConsistentRead: true })
  const items = [...first.Items!]
  for (let NextToken = first.NextToken; NextToken !== undefined; ) {
    const page = await stating.execute(words, undefined, { ConsistentRead: true, NextToken })
    items.push(...page.Items!)
    NextToken = page.NextToken
  }
  return items
}

/** Creates two partitions of four items and a reader of them. The items of the lesser key are `a1`, `a2` and so on. */
async function twoPartitions(bench: Parameters<typeof sharedRows>[0]) {
  const items = [1, 2, 3, 4].map(sort => ({ sk: numericValue(sort) }))
  const [one, two] = [
    await PartiqlPartition.of(bench, 'compositeN', ...items),
    await PartiqlPartition.of(bench, 'compositeN', ...items),
  ]
  const [least] = [one.pk, two.pk].sort()
  const sorts = async (words: string) => {
    const found = await one.select(`SELECT pk, sk FROM TABLE WHERE ${words.replace('OTHER', `'${two.pk}'`)}`)
    return found.map(({ pk, sk }) => (pk!.S === least ? 'a' : 'b') + sk!.N)
  }
  return { sorts, own: one.pk === least ? 'a' : 'b' }
}
