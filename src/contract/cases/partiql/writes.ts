import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { ITEM_BYTES, STATEMENT_CHARACTERS } from '../../../dynamodb/limits.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { fillItem } from '../../fixtures/sized-items.js'
import { binaryValue, numericValue, stringValue } from '../../fixtures/test-partition.js'
import { PartiqlPartition } from './partiql-partition.js'

const CONDITION_FAILED = ['ConditionalCheckFailedException', 'The conditional request failed'] as const
const NO_KEY = 'Where clause does not contain a mandatory equality on all key attributes'
const wrongKeyType = (name: string) =>
  `Key attribute's data type should match its data type in table's schema: Key ${name}`

const inserts = defineCases('executeStatement', {
  'INSERT writes an item of literals and parameters': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN')
    await stating.write(
      `INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1, 'word': 'it''s', 'amount': -1.50, 'yes': true, 'no': FALSE, ` +
        `'none': null, 'steps': [1, 'a', [2]], 'map': {'x': {'y': 1}}, 'tags': <<'b', 'a'>>, 'numbers': <<2, 1>>, ` +
        `'empty': '', 'bytes': ?, 'given': ?}`,
      [binaryValue(1), { M: { a: numericValue(1) } }],
    )
    expectEqual(await stating.readItem(numericValue(1)), {
      word: stringValue("it's"),
      amount: numericValue('-1.5'),
      yes: { BOOL: true },
      no: { BOOL: false },
      none: { NULL: true },
      steps: { L: [numericValue(1), stringValue('a'), { L: [numericValue(2)] }] },
      map: { M: { x: { M: { y: numericValue(1) } } } },
      tags: { SS: ['a', 'b'] },
      numbers: { NS: ['1', '2'] },
      empty: stringValue(''),
      bytes: binaryValue(1),
      given: { M: { a: numericValue(1) } },
    })
  },

  'INSERT of an existing item fails': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1), word: stringValue('first') })
    await expectRejection(
      stating.execute(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1, 'word': 'second'}`),
      'DuplicateItemException',
      'Duplicate primary key exists in table',
    )
    expectEqual(await stating.readItem(numericValue(1)), { word: stringValue('first') })
    await stating.write('DELETE FROM TABLE WHERE pk = PK AND sk = 1')
    await stating.write(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1}`)
    expectEqual(await stating.readItem(numericValue(1)), {})
  },

  'INSERT requires the key of the table': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN')
    const insert = (item: string) => stating.execute(`INSERT INTO TABLE VALUE ${item}`)
    await expectValidationError(insert(`{'pk': PK}`), 'Key attribute should be present in the item: Key sk')
    await expectValidationError(insert(`{'pk': PK, 'sk': 'x'}`), wrongKeyType('sk'))
    await expectValidationError(insert(`{'pk': 5, 'sk': 1}`), wrongKeyType('pk'))
    await expectValidationError(
      insert(`{'pk': '', 'sk': 1}`),
      'One or more parameter values are not valid. ' +
        'The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    )
  },

  'an item that a statement writes has the size limit of items': async bench => {
    const stating = await PartiqlPartition.of(bench, 'hash')
    const insert = (filling: AttributeValue) =>
      stating.execute(`INSERT INTO TABLE VALUE {'pk': PK, 'filling': ?}`, [filling])
    const { filling } = fillItem({ pk: stringValue(stating.pk) }, ITEM_BYTES)
    const over = { S: `${filling!.S}x` }
    await expectValidationError(insert(over), 'Item size has exceeded the maximum allowed size')
    await insert(filling!)
    expectEqual(await stating.readItem(), { filling: filling! })
    const update = (value: AttributeValue) => stating.execute('UPDATE TABLE SET filling = ? WHERE pk = PK', [value])
    await expectValidationError(update(over), 'Item size to update has exceeded the maximum allowed size')
    await update(filling!)
  },

  'a statement has at most 8,192 characters': withCoverage(['limit:STATEMENT_CHARACTERS'], async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN')
    const words = stating.toStatement(`INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1}`)
    await stating.write(words.padEnd(STATEMENT_CHARACTERS))
    expectEqual(await stating.readItem(numericValue(1)), {})
  }),
})

const updates = defineCases('executeStatement', {
  'UPDATE sets and removes attributes, in one clause or several': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', {
      sk: numericValue(1),
      gone: stringValue('x'),
      also: stringValue('y'),
    })
    await stating.write('UPDATE TABLE SET a = 1, b = ? SET c = [1] REMOVE gone REMOVE also WHERE pk = PK AND sk = 1', [
      stringValue('given'),
    ])
    expectEqual(await stating.readItem(numericValue(1)), {
      a: numericValue(1),
      b: stringValue('given'),
      c: { L: [numericValue(1)] },
    })
  },

  'UPDATE reaches into maps and lists': async bench => {
    const row = {
      map: { M: { x: numericValue(1), y: numericValue(2) } },
      steps: { L: [numericValue(1), numericValue(2)] },
    }
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1), ...row })
    await stating.write(`UPDATE TABLE SET map.x = 5 SET steps[0] = 'a' REMOVE map['y'] WHERE pk = PK AND sk = 1`)
    expectEqual(await stating.readItem(numericValue(1)), {
      map: { M: { x: numericValue(5) } },
      steps: { L: [stringValue('a'), numericValue(2)] },
    })
    await expectValidationError(
      stating.execute('UPDATE TABLE SET none.x = 1 WHERE pk = PK AND sk = 1'),
      'The document path provided in the update expression is invalid for update',
    )
  },

  'UPDATE evaluates arithmetic': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', {
      sk: numericValue(1),
      n: numericValue(5),
      m: numericValue(2),
    })
    await stating.write(
      'UPDATE TABLE SET n = n + 1 SET a = 10 - n SET b = n - m - 1 SET c = (1 + n) - m SET d = m WHERE pk = PK AND sk = 1',
    )
    const expected = {
      n: numericValue(6),
      m: numericValue(2),
      a: numericValue(5),
      b: numericValue(2),
      c: numericValue(4),
      d: numericValue(2),
    }
    expectEqual(await stating.readItem(numericValue(1)), expected)
    await expectValidationError(
      stating.execute(`UPDATE TABLE SET a = 'x' + 1 WHERE pk = PK AND sk = 1`),
      'Incorrect operand type for operator or function; operator or function: +, operand type: S',
    )
    await expectValidationError(
      stating.execute('UPDATE TABLE SET a = n * 2 WHERE pk = PK AND sk = 1'),
      'Unsupported operator in Update Expression. Operator: *',
    )
    await expectValidationError(
      stating.execute('UPDATE TABLE SET a = absent WHERE pk = PK AND sk = 1'),
      'The provided expression refers to an attribute that does not exist in the item',
    )
  },

  'UPDATE appends to lists and creates missing attributes': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', {
      sk: numericValue(1),
      steps: { L: [numericValue(1)] },
    })
    await stating.write('UPDATE TABLE SET steps = list_append(steps, [2]) WHERE pk = PK AND sk = 1')
    await stating.write('UPDATE TABLE SET steps = list_append([0], steps) WHERE pk = PK AND sk = 1')
    await stating.write('UPDATE TABLE SET n = if_not_exists(n, 1) + 1 WHERE pk = PK AND sk = 1')
    expectEqual(await stating.readItem(numericValue(1)), {
      steps: { L: [numericValue(0), numericValue(1), numericValue(2)] },
      n: numericValue(2),
    })
    await expectValidationError(
      stating.execute('UPDATE TABLE SET steps = list_append(steps, 5) WHERE pk = PK AND sk = 1'),
      'Incorrect operand type for operator or function; operator or function: list_append, operand type: N',
    )
    await expectValidationError(
      stating.execute('UPDATE TABLE SET steps = size(steps) WHERE pk = PK AND sk = 1'),
      'The function is not allowed in an update expression; function: size',
    )
  },

  'set_add and set_delete change the named set': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', {
      sk: numericValue(1),
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
    expectEqual(await stating.readItem(numericValue(1)), { tags: { SS: ['a', 'c'] }, fresh: { NS: ['1'] } })
  },

  'UPDATE of a missing item fails': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN')
    await expectRejection(stating.execute('UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 1'), ...CONDITION_FAILED)
    await expectRejection(
      stating.execute('UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 1 AND attribute_not_exists(pk)'),
      ...CONDITION_FAILED,
    )
    expectEqual(await stating.readItem(numericValue(1)), undefined)
  },

  'a WHERE clause on other attributes than the key is a condition of the write': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1), n: numericValue(5) })
    await stating.write('UPDATE TABLE SET m = 1 WHERE pk = PK AND sk = 1 AND n > 1')
    const failing = 'UPDATE TABLE SET m = 2 WHERE pk = PK AND sk = 1 AND n > 10'
    expectEqual((await expectRejection(stating.execute(failing), ...CONDITION_FAILED)).Item, undefined)
    const asked = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const
    const error = await expectRejection(stating.execute(failing, undefined, asked), ...CONDITION_FAILED)
    expectEqual(error.Item, { ...stating.items[0], m: numericValue(1) })
    await expectRejection(stating.execute('DELETE FROM TABLE WHERE pk = PK AND sk = 1 AND n = 1'), ...CONDITION_FAILED)
    expectEqual(await stating.readItem(numericValue(1)), { n: numericValue(5), m: numericValue(1) })
  },

  'RETURNING returns the item before or after, or its changed attributes': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', {
      sk: numericValue(1),
      n: numericValue(1),
      word: stringValue('w'),
    })
    const [start] = stating.items
    const update = (returning: string) =>
      stating.execute(`UPDATE TABLE SET n = n + 1 WHERE pk = PK AND sk = 1 RETURNING ${returning} *`)
    expectEqual(await update('ALL OLD'), { Items: [start] })
    expectEqual(await update('ALL NEW'), { Items: [{ ...start, n: numericValue(3) }] })
    expectEqual(await update('MODIFIED OLD'), { Items: [{ n: numericValue(3) }] })
    expectEqual(await update('MODIFIED NEW'), { Items: [{ n: numericValue(5) }] })
    expectEqual(await stating.execute('UPDATE TABLE REMOVE word WHERE pk = PK AND sk = 1 RETURNING MODIFIED NEW *'), {
      Items: [],
    })
    const remove = 'DELETE FROM TABLE WHERE pk = PK AND sk = 1 RETURNING ALL OLD *'
    expectEqual(await stating.execute(remove), {
      Items: [{ pk: stringValue(stating.pk), sk: numericValue(1), n: numericValue(5) }],
    })
    expectEqual(await stating.execute(remove), { Items: [] })
  },

  'an UPDATE can begin with FROM': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', {
      sk: numericValue(1),
      n: numericValue(1),
      gone: stringValue('x'),
    })
    await stating.write('FROM TABLE WHERE pk = PK AND sk = 1 SET a = ? REMOVE gone', [numericValue(2)])
    expectEqual(await stating.execute('FROM TABLE WHERE pk = PK AND sk = 1 SET a = 2 RETURNING MODIFIED NEW *'), {
      Items: [{ a: numericValue(2) }],
    })
    expectEqual(await stating.readItem(numericValue(1)), { n: numericValue(1), a: numericValue(2) })
    await expectRejection(
      stating.execute('FROM TABLE WHERE pk = PK AND sk = 1 AND n = 2 SET a = 3'),
      ...CONDITION_FAILED,
    )
    await expectValidationError(stating.execute('FROM TABLE SET a = 1'), NO_KEY)
  },
})

const keys = defineCases('executeStatement', {
  'a write requires the complete key of one item': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1) })
    for (const where of [
      '',
      'WHERE pk = PK',
      'WHERE pk = PK AND sk > 0',
      'WHERE pk IN [PK] AND sk = 1',
      'WHERE n = 1',
    ]) {
      await expectValidationError(stating.execute(`UPDATE TABLE SET a = 1 ${where}`), NO_KEY)
      await expectValidationError(stating.execute(`DELETE FROM TABLE ${where}`), NO_KEY)
    }
    await expectValidationError(
      stating.execute('DELETE FROM TABLE WHERE pk = PK AND sk = 1 OR pk = PK AND sk = 2'),
      NO_KEY,
    )
    await expectValidationError(stating.execute('DELETE FROM TABLE WHERE pk = PK AND NOT sk = 1'), NO_KEY)
    await expectValidationError(
      stating.execute('DELETE FROM TABLE WHERE pk = PK AND sk = 1 AND sk = 2'),
      'Multiple conditions on same key sk. Only single item Update/Insert/Delete are supported',
    )
    await stating.write('UPDATE TABLE SET a = 1 WHERE 1.0 = sk AND PK = pk AND sk = 1')
    expectEqual(await stating.readItem(numericValue(1)), { a: numericValue(1) })
  },

  'a key with wrong types is rejected': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN')
    await expectValidationError(stating.execute(`DELETE FROM TABLE WHERE pk = PK AND sk = 'x'`), wrongKeyType('sk'))
    await expectValidationError(
      stating.execute('UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = [1]'),
      'Key value must be of type S, N, or B. Key name: sk, Key type: L',
    )
    await expectValidationError(stating.execute('SELECT * FROM TABLE WHERE pk = 5'), wrongKeyType('pk'))
    await expectValidationError(stating.execute(`SELECT * FROM TABLE WHERE pk = PK AND sk > 'x'`), wrongKeyType('sk'))
  },

  'a change of a key is rejected': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1) })
    await expectValidationError(
      stating.execute('UPDATE TABLE SET sk = 2 WHERE pk = PK AND sk = 1'),
      'One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key',
    )
    await expectValidationError(
      stating.execute('UPDATE TABLE SET a = 1 SET a = 2 WHERE pk = PK AND sk = 1'),
      'Two document paths overlap with each other; must remove or rewrite one of these paths; ' +
        'path one: [a], path two: [a]',
    )
    await expectValidationError(
      stating.execute('UPDATE TABLE SET m = {} REMOVE m.a WHERE pk = PK AND sk = 1'),
      'Two document paths overlap with each other; must remove or rewrite one of these paths; ' +
        'path one: [m, a], path two: [m]',
    )
  },

  'DELETE of a missing item does nothing, under any condition': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN')
    await stating.write('DELETE FROM TABLE WHERE pk = PK AND sk = 1')
    await stating.write('DELETE FROM TABLE WHERE pk = PK AND sk = 1 AND n = 1')
  },
})

/** Cases of INSERT, UPDATE and DELETE. */
export const partiqlWriteCases = [...inserts, ...updates, ...keys]
