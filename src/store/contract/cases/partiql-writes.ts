import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { ITEM_BYTES, STATEMENT_CHARACTERS } from '../../../dynamodb/limits.js'
import { cases, covering } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { filled } from './measures.js'
import { binary, number, text } from './reading.js'
import { Stating } from './stating.js'

const FAILED = ['ConditionalCheckFailedException', 'The conditional request failed'] as const
const NO_KEY = 'Where clause does not contain a mandatory equality on all key attributes'
const wrongKey = (name: string) => `Key attribute's data type should match its data type in table's schema: Key ${name}`

const inserts = cases('executeStatement', {
  'INSERT writes an item of literals and parameters': async bench => {
    const stating = await Stating.of(bench, 'compositeN')
    await stating.write(
      `INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1, 'word': 'it''s', 'amount': -1.50, 'yes': true, 'no': FALSE, ` +
        `'none': null, 'steps': [1, 'a', [2]], 'map': {'x': {'y': 1}}, 'tags': <<'b', 'a'>>, 'numbers': <<2, 1>>, ` +
        `'empty': '', 'bytes': ?, 'given': ?}`,
      [binary(1), { M: { a: number(1) } }],
    )
    same(await stating.stored(number(1)), {
      word: text("it's"),
      amount: number('-1.5'),
      yes: { BOOL: true },
      no: { BOOL: false },
      none: { NULL: true },
      steps: { L: [number(1), text('a'), { L: [number(2)] }] },
      map: { M: { x: { M: { y: number(1) } } } },
      tags: { SS: ['a', 'b'] },
      numbers: { NS: ['1', '2'] },
      empty: text(''),
      bytes: binary(1),
      given: { M: { a: number(1) } },
    })
  },

  'INSERT does not write over an item': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1), word: text('first') })
    await refused(
      stating.run(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1, 'word': 'second'}`),
      'DuplicateItemException',
      'Duplicate primary key exists in table',
    )
    same(await stating.stored(number(1)), { word: text('first') })
    await stating.write('DELETE FROM TABLE WHERE pk = PK AND sk = 1')
    await stating.write(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1}`)
    same(await stating.stored(number(1)), {})
  },

  'INSERT needs the key of the table': async bench => {
    const stating = await Stating.of(bench, 'compositeN')
    const insert = (item: string) => stating.run(`INSERT INTO TABLE VALUE ${item}`)
    await invalid(insert(`{'pk': PK}`), 'Key attribute should be present in the item: Key sk')
    await invalid(insert(`{'pk': PK, 'sk': 'x'}`), wrongKey('sk'))
    await invalid(insert(`{'pk': 5, 'sk': 1}`), wrongKey('pk'))
    await invalid(
      insert(`{'pk': '', 'sk': 1}`),
      'One or more parameter values are not valid. ' +
        'The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    )
  },

  'an item that a statement writes is held to the size of items': async bench => {
    const stating = await Stating.of(bench, 'hash')
    const insert = (filling: AttributeValue) =>
      stating.run(`INSERT INTO TABLE VALUE {'pk': PK, 'filling': ?}`, [filling])
    const { filling } = filled({ pk: text(stating.pk) }, ITEM_BYTES)
    const over = { S: `${filling!.S}x` }
    await invalid(insert(over), 'Item size has exceeded the maximum allowed size')
    await insert(filling!)
    same(await stating.stored(), { filling: filling! })
    const update = (value: AttributeValue) => stating.run('UPDATE TABLE SET filling = ? WHERE pk = PK', [value])
    await invalid(update(over), 'Item size to update has exceeded the maximum allowed size')
    await update(filling!)
  },

  'a statement has at most 8,192 characters': covering(['limit:STATEMENT_CHARACTERS'], async bench => {
    const stating = await Stating.of(bench, 'compositeN')
    const words = stating.statement(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1}`)
    await stating.write(words.padEnd(STATEMENT_CHARACTERS))
    same(await stating.stored(number(1)), {})
  }),
})

const updates = cases('executeStatement', {
  'UPDATE sets and removes, in one clause or several': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1), gone: text('x'), also: text('y') })
    await stating.write('UPDATE TABLE SET a = 1, b = ? SET c = [1] REMOVE gone REMOVE also WHERE pk = PK AND sk = 1', [
      text('given'),
    ])
    same(await stating.stored(number(1)), { a: number(1), b: text('given'), c: { L: [number(1)] } })
  },

  'UPDATE reaches into maps and lists': async bench => {
    const row = { map: { M: { x: number(1), y: number(2) } }, steps: { L: [number(1), number(2)] } }
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1), ...row })
    await stating.write(`UPDATE TABLE SET map.x = 5 SET steps[0] = 'a' REMOVE map['y'] WHERE pk = PK AND sk = 1`)
    same(await stating.stored(number(1)), { map: { M: { x: number(5) } }, steps: { L: [text('a'), number(2)] } })
    await invalid(
      stating.run('UPDATE TABLE SET none.x = 1 WHERE pk = PK AND sk = 1'),
      'The document path provided in the update expression is invalid for update',
    )
  },

  'UPDATE calculates': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1), n: number(5), m: number(2) })
    await stating.write(
      'UPDATE TABLE SET n = n + 1 SET a = 10 - n SET b = n - m - 1 SET c = (1 + n) - m SET d = m WHERE pk = PK AND sk = 1',
    )
    const expected = { n: number(6), m: number(2), a: number(5), b: number(2), c: number(4), d: number(2) }
    same(await stating.stored(number(1)), expected)
    await invalid(
      stating.run(`UPDATE TABLE SET a = 'x' + 1 WHERE pk = PK AND sk = 1`),
      'Incorrect operand type for operator or function; operator or function: +, operand type: S',
    )
    await invalid(
      stating.run('UPDATE TABLE SET a = n * 2 WHERE pk = PK AND sk = 1'),
      'Unsupported operator in Update Expression. Operator: *',
    )
    await invalid(
      stating.run('UPDATE TABLE SET a = absent WHERE pk = PK AND sk = 1'),
      'The provided expression refers to an attribute that does not exist in the item',
    )
  },

  'UPDATE appends to lists and begins what is not there': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1), steps: { L: [number(1)] } })
    await stating.write('UPDATE TABLE SET steps = list_append(steps, [2]) WHERE pk = PK AND sk = 1')
    await stating.write('UPDATE TABLE SET steps = list_append([0], steps) WHERE pk = PK AND sk = 1')
    await stating.write('UPDATE TABLE SET n = if_not_exists(n, 1) + 1 WHERE pk = PK AND sk = 1')
    same(await stating.stored(number(1)), { steps: { L: [number(0), number(1), number(2)] }, n: number(2) })
    await invalid(
      stating.run('UPDATE TABLE SET steps = list_append(steps, 5) WHERE pk = PK AND sk = 1'),
      'Incorrect operand type for operator or function; operator or function: list_append, operand type: N',
    )
    await invalid(
      stating.run('UPDATE TABLE SET steps = size(steps) WHERE pk = PK AND sk = 1'),
      'The function is not allowed in an update expression; function: size',
    )
  },

  'set_add and set_delete change the set that they name': async bench => {
    const stating = await Stating.of(bench, 'compositeN', {
      sk: number(1),
      tags: { SS: ['a', 'b'] },
      gone: { NS: ['1'] },
    })
    const set = (change: string, given?: { SS: string[] }[]) =>
      stating.write(`UPDATE TABLE SET ${change} WHERE pk = PK AND sk = 1`, given)
    await set(`tags = set_add(tags, <<'c', 'a'>>)`)
    await set('tags = SET_DELETE(tags, ?)', [{ SS: ['b'] }])
    await set('fresh = set_add(fresh, <<1>>)')
    await set('gone = set_delete(gone, <<1>>)')
    await set(`none = set_delete(none, <<'x'>>)`)
    same(await stating.stored(number(1)), { tags: { SS: ['a', 'c'] }, fresh: { NS: ['1'] } })
  },

  'UPDATE does not make an item': async bench => {
    const stating = await Stating.of(bench, 'compositeN')
    await refused(stating.run('UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 1'), ...FAILED)
    await refused(
      stating.run('UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 1 AND attribute_not_exists(pk)'),
      ...FAILED,
    )
    same(await stating.stored(number(1)), undefined)
  },

  'what a WHERE clause says beside the key is a condition of the write': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1), n: number(5) })
    await stating.write('UPDATE TABLE SET m = 1 WHERE pk = PK AND sk = 1 AND n > 1')
    const failing = 'UPDATE TABLE SET m = 2 WHERE pk = PK AND sk = 1 AND n > 10'
    same((await refused(stating.run(failing), ...FAILED)).Item, undefined)
    const asked = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const
    const error = await refused(stating.run(failing, undefined, asked), ...FAILED)
    same(error.Item, { ...stating.items[0], m: number(1) })
    await refused(stating.run('DELETE FROM TABLE WHERE pk = PK AND sk = 1 AND n = 1'), ...FAILED)
    same(await stating.stored(number(1)), { n: number(5), m: number(1) })
  },

  'RETURNING answers the item before or after, or what was changed of it': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1), n: number(1), word: text('w') })
    const [start] = stating.items
    const update = (returning: string) =>
      stating.run(`UPDATE TABLE SET n = n + 1 WHERE pk = PK AND sk = 1 RETURNING ${returning} *`)
    same(await update('ALL OLD'), { Items: [start] })
    same(await update('ALL NEW'), { Items: [{ ...start, n: number(3) }] })
    same(await update('MODIFIED OLD'), { Items: [{ n: number(3) }] })
    same(await update('MODIFIED NEW'), { Items: [{ n: number(5) }] })
    same(await stating.run('UPDATE TABLE REMOVE word WHERE pk = PK AND sk = 1 RETURNING MODIFIED NEW *'), { Items: [] })
    const remove = 'DELETE FROM TABLE WHERE pk = PK AND sk = 1 RETURNING ALL OLD *'
    same(await stating.run(remove), { Items: [{ pk: text(stating.pk), sk: number(1), n: number(5) }] })
    same(await stating.run(remove), { Items: [] })
  },

  'an UPDATE can begin with FROM': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1), n: number(1), gone: text('x') })
    await stating.write('FROM TABLE WHERE pk = PK AND sk = 1 SET a = ? REMOVE gone', [number(2)])
    same(await stating.run('FROM TABLE WHERE pk = PK AND sk = 1 SET a = 2 RETURNING MODIFIED NEW *'), {
      Items: [{ a: number(2) }],
    })
    same(await stating.stored(number(1)), { n: number(1), a: number(2) })
    await refused(stating.run('FROM TABLE WHERE pk = PK AND sk = 1 AND n = 2 SET a = 3'), ...FAILED)
    await invalid(stating.run('FROM TABLE SET a = 1'), NO_KEY)
  },
})

const keys = cases('executeStatement', {
  'a write names one item by the whole key': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1) })
    for (const where of [
      '',
      'WHERE pk = PK',
      'WHERE pk = PK AND sk > 0',
      'WHERE pk IN [PK] AND sk = 1',
      'WHERE n = 1',
    ]) {
      await invalid(stating.run(`UPDATE TABLE SET a = 1 ${where}`), NO_KEY)
      await invalid(stating.run(`DELETE FROM TABLE ${where}`), NO_KEY)
    }
    await invalid(stating.run('DELETE FROM TABLE WHERE pk = PK AND sk = 1 OR pk = PK AND sk = 2'), NO_KEY)
    await invalid(stating.run('DELETE FROM TABLE WHERE pk = PK AND NOT sk = 1'), NO_KEY)
    await invalid(
      stating.run('DELETE FROM TABLE WHERE pk = PK AND sk = 1 AND sk = 2'),
      'Multiple conditions on same key sk. Only single item Update/Insert/Delete are supported',
    )
    await stating.write('UPDATE TABLE SET a = 1 WHERE 1.0 = sk AND PK = pk AND sk = 1')
    same(await stating.stored(number(1)), { a: number(1) })
  },

  'a key has the types of the table': async bench => {
    const stating = await Stating.of(bench, 'compositeN')
    await invalid(stating.run(`DELETE FROM TABLE WHERE pk = PK AND sk = 'x'`), wrongKey('sk'))
    await invalid(
      stating.run('UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = [1]'),
      'Key value must be of type S, N, or B. Key name: sk, Key type: L',
    )
    await invalid(stating.run('SELECT * FROM TABLE WHERE pk = 5'), wrongKey('pk'))
    await invalid(stating.run(`SELECT * FROM TABLE WHERE pk = PK AND sk > 'x'`), wrongKey('sk'))
  },

  'a key cannot be changed': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1) })
    await invalid(
      stating.run('UPDATE TABLE SET sk = 2 WHERE pk = PK AND sk = 1'),
      'One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key',
    )
    await invalid(
      stating.run('UPDATE TABLE SET a = 1 SET a = 2 WHERE pk = PK AND sk = 1'),
      'Two document paths overlap with each other; must remove or rewrite one of these paths; ' +
        'path one: [a], path two: [a]',
    )
    await invalid(
      stating.run('UPDATE TABLE SET m = {} REMOVE m.a WHERE pk = PK AND sk = 1'),
      'Two document paths overlap with each other; must remove or rewrite one of these paths; ' +
        'path one: [m, a], path two: [m]',
    )
  },

  'DELETE of an item that is not there does nothing, whatever it asks of it': async bench => {
    const stating = await Stating.of(bench, 'compositeN')
    await stating.write('DELETE FROM TABLE WHERE pk = PK AND sk = 1')
    await stating.write('DELETE FROM TABLE WHERE pk = PK AND sk = 1 AND n = 1')
  },
})

/** INSERT, UPDATE and DELETE. */
export const partiqlWriteCases = [...inserts, ...updates, ...keys]
