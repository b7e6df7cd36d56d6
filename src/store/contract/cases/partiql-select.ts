import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES, STATEMENT_CHARACTERS } from '../../../dynamodb/limits.js'
import { cases } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { binary, fixture, number, text } from './reading.js'
import { Stating } from './stating.js'

const ROW = {
  word: text('abc'),
  steps: { L: [number(1), text('x')] },
  map: { M: { x: number(1), 'odd name': { L: [number(5)] } } },
  tags: { SS: ['a', 'b'] },
  none: { NULL: true },
  flag: { BOOL: true },
}
const rows = fixture(bench =>
  Stating.of(
    bench,
    'compositeN',
    { sk: number(1), amount: number(10), ...ROW },
    { sk: number(2), amount: number(20), ...ROW, word: text('abd') },
    { sk: number(3), amount: number(30), bytes: binary(1, 2) },
  ),
)

export const partiqlSelectCases = cases('executeStatement', {
  'SELECT by the whole key finds the item, or nothing': async bench => {
    const stating = await rows(bench)
    same(await stating.run('SELECT * FROM TABLE WHERE pk = PK AND sk = 3'), { Items: [stating.items[2]] })
    same(await stating.run('SELECT * FROM TABLE WHERE pk = PK AND sk = 4'), { Items: [] })
  },

  'SELECT by the partition key finds its items in the order of the sort key': async bench => {
    const stating = await rows(bench)
    same(await stating.select('SELECT * FROM TABLE WHERE pk = PK'), stating.items)
    same(await stating.where('sk > 1'), ['2', '3'])
    same(await stating.where('sk BETWEEN 2 AND 3'), ['2', '3'])
    same(await stating.where('sk IN [1, 3]'), ['1', '3'])
    same(await stating.where('(sk = 1 OR sk = 3)'), ['1', '3'])
  },

  'SELECT without a key looks at everything': async bench => {
    const stating = await rows(bench)
    const found = await allPages(stating, 'SELECT pk, sk FROM TABLE WHERE amount >= 20 AND contains(pk, PK)')
    same(
      found.map(item => item.sk),
      [number(2), number(3)],
    )
  },

  'SELECT finds what two conditions of the sort key leave': async bench => {
    const stating = await rows(bench)
    const found = await allPages(stating, 'SELECT sk FROM TABLE WHERE pk = PK AND sk > 1 AND sk < 3')
    same(found, [{ sk: number(2) }])
  },

  'SELECT answers what it names, under the last name of each path': async bench => {
    const stating = await rows(bench)
    const select = (what: string) => stating.select(`SELECT ${what} FROM TABLE WHERE pk = PK AND sk = 1`)
    same(await select('sk, word'), [{ sk: number(1), word: text('abc') }])
    same(await select('map.x, steps[1]'), [{ x: number(1), 'steps[1]': text('x') }])
    same(await select(`map['x'], "map"."odd name"[0]`), [{ x: number(1), 'odd name[0]': number(5) }])
    same(await select('absent, map.none'), [{}])
  },

  'keywords have any case, names their own': async bench => {
    const stating = await rows(bench)
    same(await stating.select('select sk, WORD from TABLE where pk = PK and sk = 1'), [{ sk: number(1) }])
  },

  'conditions compare, with values on either side': async bench => {
    const { where } = await bound(bench)
    same(await where('amount = 10'), ['1'])
    same(await where('amount <> 10'), ['2', '3'])
    same(await where('amount != 10'), ['2', '3'])
    same(await where('amount < 20'), ['1'])
    same(await where('20 <= amount'), ['2', '3'])
    same(await where('amount BETWEEN 15 AND 30'), ['2', '3'])
    same(await where('amount NOT BETWEEN 15 AND 30'), ['1'])
    same(await where('amount IN (10, 30)'), ['1', '3'])
    same(await where('amount NOT IN [10, 30]'), ['2'])
    same(await where(`word = "word2" OR word = 'abd'`), ['2'])
  },

  'conditions are joined, negated and grouped': async bench => {
    const { where } = await bound(bench)
    same(await where('(amount = 10 OR amount = 30) AND NOT flag = true'), ['3'])
    same(await where('NOT (amount = 10 OR amount = 30)'), ['2'])
    same(await where('(amount = 10) = true'), ['1'])
    same(await where('attribute_exists(word) = false'), ['3'])
  },

  'what begins with a text does not meet what comes before it': async bench => {
    const stating = await Stating.of(bench, 'composite', ...['w', 'x', 'xy', 'y'].map(sk => ({ sk: text(sk) })))
    const items = await stating.select(
      `SELECT sk FROM TABLE WHERE pk = PK AND begins_with(sk, 'x') OR pk = PK AND sk < 'x'`,
    )
    same(items.map(({ sk }) => sk!.S).sort(), ['w', 'x', 'xy'])
  },

  'a statement is as long as it has characters, whatever their bytes': async bench => {
    const stating = await Stating.of(bench, 'composite')
    const words = (face: string) => stating.statement(`SELECT * FROM TABLE WHERE pk = '${face}'`)
    const faces = (length: number) => words('\u{1f600}'.repeat(length - words('').length))
    await invalid(stating.run(faces(STATEMENT_CHARACTERS)), /Size of hashkey has exceeded/)
    await invalid(
      stating.run(faces(STATEMENT_CHARACTERS + 1)),
      /at 'statement' failed to satisfy constraint: Member must have length less than or equal to 8192$/,
    )
  },

  'one key alone is refused where it is longer than a key can be': async bench => {
    const stating = await Stating.of(bench, 'composite', { sk: text('a') })
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
      await invalid(select(`pk = '${partition}'${more}`), noPartition)
    for (const which of [
      `sk = '${sort}'`,
      `sk > '${sort}'`,
      `sk BETWEEN 'a' AND '${sort}'`,
      `begins_with(sk, '${sort}')`,
      `sk IN ['${sort}']`,
    ])
      await invalid(select(`pk = PK AND ${which}`), noSort)
    await invalid(select(`pk = PK AND "local" = '${sort}'`, '."byLocal"'), noSort)
    for (const runs of [
      `pk = '${partition}' OR pk = 'k'`,
      `pk IN ['${partition}', 'k']`,
      `pk = PK AND (sk = 'b' OR sk = '${sort}')`,
      `pk = PK AND sk = '${sort.slice(1)}'`,
    ])
      same(await select(runs), [])
  },

  'a function that asks is a boolean, which compares with whatever else there is': async bench => {
    const stating = await Stating.of(
      bench,
      'compositeN',
      { sk: number(1), a: number(1), b: { BOOL: true } },
      { sk: number(2), a: number(1), b: { BOOL: false } },
      { sk: number(3), b: { BOOL: false } },
      { sk: number(4), a: number(1) },
      { sk: number(5), a: number(1), b: text('true') },
    )
    const where = (condition: string, given?: AttributeValue) => stating.where(condition, given && [given])
    same(await where('attribute_exists(a) = b'), ['1', '3'])
    same(await where('b = attribute_exists(a)'), ['1', '3'])
    same(await where('attribute_exists(a) <> b'), ['2', '4', '5'])
    same(await where('attribute_exists(a) = attribute_exists(b)'), ['1', '2', '5'])
    same(await where('attribute_exists(a) = size(b)'), [])
    same(await where('attribute_exists(a) <> ?', text('true')), ['1', '2', '3', '4', '5'])
    same(await where('attribute_exists(a) IN [b, ?]', { BOOL: false }), ['1', '3'])
    same(await where('b NOT IN [attribute_exists(a)]'), ['2', '4', '5'])
    same(await where('? IN [attribute_exists(b)]', { BOOL: false }), ['4'])
  },

  'conditions call functions, whatever their case': async bench => {
    const { where } = await bound(bench)
    same(await where(`begins_with(word, 'abc')`), ['1'])
    same(await where(`CONTAINS(tags, 'a')`), ['1', '2'])
    same(await where(`contains(word, 'bd')`), ['2'])
    same(await where(`attribute_type(steps, 'L')`), ['1', '2'])
    same(await where('attribute_exists(map.x)'), ['1', '2'])
    same(await where('attribute_not_exists(map."odd name")'), ['3'])
    same(await where('size(word) = 3 AND size(steps) < size(word)'), ['1', '2'])
  },

  'IS asks for a type': async bench => {
    const { where } = await bound(bench)
    same(await where('word IS MISSING'), ['3'])
    same(await where('word IS NOT MISSING'), ['1', '2'])
    same(await where('none IS NULL'), ['1', '2'])
    same(await where('none IS NOT NULL'), ['3'])
    same(await where('word IS STRING AND amount IS NUMERIC AND flag IS BOOL'), ['1', '2'])
    same(await where('map IS STRUCT AND map IS TUPLE AND steps IS LIST'), ['1', '2'])
    same(await where('bytes IS BLOB'), ['3'])
  },

  'literals are of every type that a statement can state': async bench => {
    const { where } = await bound(bench)
    same(await where(`word = 'ab' OR word = 'abc'`), ['1'])
    same(await where('amount = 1e1 OR amount = .2E+2 OR amount = -3'), ['1', '2'])
    same(await where(`steps = [1, 'x']`), ['1', '2'])
    same(await where(`map = {'odd name': [5], 'x': 1}`), ['1', '2'])
    same(await where(`tags = <<'b', 'a'>>`), ['1', '2'])
    same(await where('none = NULL AND flag = TRUE'), ['1', '2'])
  },

  'question marks stand for parameters, and those left over are ignored': async bench => {
    const stating = await rows(bench)
    same(await stating.where('amount > ? AND word = ?', [number(5), text('abd')]), ['2'])
    same(await stating.where('bytes = ?', [binary(1, 2)]), ['3'])
    same(await stating.where('amount IN (?, ?)', [number(10), number(30)]), ['1', '3'])
    same(await stating.where('amount = 10', [number(5)]), ['1'])
  },

  'a sign belongs to the number after it, and two are none': async bench => {
    const stating = await rows(bench)
    same(await stating.where('amount = + 10'), ['1'])
    same(await stating.where('amount = - -10'), ['1'])
    same(await stating.where('amount > - 10 AND sk = 1'), ['1'])
  },

  'comments are blanks': async bench => {
    const stating = await rows(bench)
    same(await stating.select('-- what\nSELECT sk /* which */ FROM TABLE -- from\nWHERE pk = PK AND sk = 1 -- end'), [
      { sk: number(1) },
    ])
  },

  'ORDER BY the sort key reads in that direction': async bench => {
    const stating = await rows(bench)
    const ordered = async (order: string) =>
      (await stating.select(`SELECT sk FROM TABLE WHERE pk = PK ORDER BY ${order}`)).map(item => item.sk!.N)
    same(await ordered('sk'), ['1', '2', '3'])
    same(await ordered('sk ASC'), ['1', '2', '3'])
    same(await ordered('sk DESC'), ['3', '2', '1'])
    same(await ordered('pk ASC, sk DESC'), ['3', '2', '1'])
    same(await ordered('sk NULLS FIRST'), ['1', '2', '3'])
    same(await ordered('sk DESC nulls last'), ['3', '2', '1'])
  },

  'several partitions are read by IN and by OR': async bench => {
    const one = await Stating.of(bench, 'compositeN', { sk: number(1) }, { sk: number(2) })
    const two = await Stating.of(bench, 'compositeN', { sk: number(1) })
    const keys = (words: string) =>
      one.select(`SELECT pk, sk FROM TABLE WHERE ${words.replace('OTHER', `'${two.pk}'`)}`)
    const both = [...one.items, ...two.items]
    same(await keys('pk IN [PK, OTHER]'), both)
    same(await keys('pk = PK OR pk = OTHER'), both)
    same(await keys('pk IN (PK, OTHER) AND sk = 1'), [one.items[0], two.items[0]])
    same(await keys('pk = PK AND sk = 2 OR pk = OTHER AND sk = 1'), [one.items[1], two.items[0]])
    same(await keys('pk IN [OTHER, PK] ORDER BY pk ASC, sk DESC'), [one.items[1], one.items[0], two.items[0]])
  },

  'ORDER BY puts partitions in order, and what is read of each': async bench => {
    const { sorts, own } = await twoPartitions(bench)
    same(await sorts('pk IN [PK, OTHER] AND sk < 3 ORDER BY pk, sk'), ['a1', 'a2', 'b1', 'b2'])
    same(await sorts('pk IN [PK, OTHER] AND sk < 3 ORDER BY pk DESC, sk'), ['b1', 'b2', 'a1', 'a2'])
    same(await sorts('pk IN [PK, OTHER] AND sk < 3 ORDER BY pk DESC, sk DESC'), ['b2', 'b1', 'a2', 'a1'])
    same(await sorts('pk = PK AND (sk > 3 OR sk < 3) ORDER BY pk, sk'), [`${own}1`, `${own}2`, `${own}4`])
    same(await sorts('pk = PK AND (sk < 2 OR sk > 3) ORDER BY pk, sk DESC'), [`${own}4`, `${own}1`])
  },

  'ORDER BY puts partitions in order, whose sort keys are listed': async bench => {
    const { sorts } = await twoPartitions(bench)
    const backwards = await sorts('pk IN [OTHER, PK] AND sk IN [2, 4, 1] ORDER BY pk, sk DESC')
    same(backwards, ['a4', 'a2', 'a1', 'b4', 'b2', 'b1'])
  },

  'the sort key is found on either side of a comparison': async bench => {
    const stating = await rows(bench)
    same(await stating.where('2 = sk'), ['2'])
    same(await stating.where('2 < sk'), ['3'])
    same(await stating.where('2 <= sk'), ['2', '3'])
    same(await stating.where('2 > sk'), ['1'])
    same(await stating.where('2 >= sk'), ['1', '2'])
  },

  'a table that is not there is told': async bench => {
    await refused(
      bench.service.executeStatement({ Statement: `SELECT * FROM "there-is-no-such-table" WHERE pk = 'a'` }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  },
})

async function bound(bench: Parameters<typeof rows>[0]): Promise<{ where: Stating['where'] }> {
  const stating = await rows(bench)
  return { where: (condition, given) => stating.where(condition, given) }
}

/** The items of all pages. */
async function allPages(stating: Stating, words: string) {
  const first = await stating.run(words, undefined, { ConsistentRead: true })
  const items = [...first.Items!]
  for (let NextToken = first.NextToken; NextToken !== undefined; ) {
    const page = await stating.run(words, undefined, { ConsistentRead: true, NextToken })
    items.push(...page.Items!)
    NextToken = page.NextToken
  }
  return items
}

/** Two partitions of four items, and what is found of them: that of the lesser key as `a1`, `a2` and so on. */
async function twoPartitions(bench: Parameters<typeof rows>[0]) {
  const items = [1, 2, 3, 4].map(sort => ({ sk: number(sort) }))
  const [one, two] = [await Stating.of(bench, 'compositeN', ...items), await Stating.of(bench, 'compositeN', ...items)]
  const [least] = [one.pk, two.pk].sort()
  const sorts = async (words: string) => {
    const found = await one.select(`SELECT pk, sk FROM TABLE WHERE ${words.replace('OTHER', `'${two.pk}'`)}`)
    return found.map(({ pk, sk }) => (pk!.S === least ? 'a' : 'b') + sk!.N)
  }
  return { sorts, own: one.pk === least ? 'a' : 'b' }
}
