import { expectEqual, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { ItemTrial } from '../../fixtures/item-trial.js'

/** Cases of the effects of update expressions. */
export const updateCases = defineCases('updateItem', {
  'SET replaces values and adds new ones': async bench => {
    const trial = await ItemTrial.of(bench, { a: { S: 'old' }, kept: { S: 'kept' } })
    expectEqual(await trial.updateAndRead('SET a = :v, b = :w', { ':v': { S: 'new' }, ':w': { N: '2' } }), {
      a: { S: 'new' },
      b: { N: '2' },
      kept: { S: 'kept' },
    })
    expectEqual(await trial.updateAndRead('SET a = :v', { ':v': { L: [] } }), {
      a: { L: [] },
      b: { N: '2' },
      kept: { S: 'kept' },
    })
  },
  'an update of a missing item creates it': async bench => {
    const trial = await ItemTrial.of(bench)
    expectEqual(await trial.updateAndRead('SET a = :v', { ':v': { S: 'new' } }), { a: { S: 'new' } })
  },
  'an update without an expression creates the item with only its key': async bench => {
    const trial = await ItemTrial.of(bench)
    await trial.update(undefined)
    expectEqual(await trial.readAttributes(), {})
    await trial.put({ a: { N: '1' } })
    await trial.update(undefined)
    expectEqual(await trial.readAttributes(), { a: { N: '1' } })
  },
  'SET copies an attribute as it was before the update': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' }, b: { N: '2' } })
    expectEqual(await trial.updateAndRead('SET a = b, b = a, c = a'), { a: { N: '2' }, b: { N: '1' }, c: { N: '1' } })
    expectEqual(await trial.updateAndRead('SET d = a REMOVE a'), { b: { N: '1' }, c: { N: '1' }, d: { N: '2' } })
    expectEqual(await trial.updateAndRead('SET e = d ADD d :one', { ':one': { N: '1' } }), {
      b: { N: '1' },
      c: { N: '1' },
      d: { N: '3' },
      e: { N: '2' },
    })
  },
  'SET adds and subtracts exactly, to 38 digits': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' }, huge: { N: '12345678901234567890123456789012345678' } })
    const step = { ':one': { N: '1' }, ':tenth': { N: '0.1' } }
    expectEqual(
      (await trial.updateAndRead('SET a = a + :one, b = a - :tenth, c = :tenth + :one, huge = huge - :one', step)).huge,
      {
        N: '12345678901234567890123456789012345677',
      },
    )
    expectEqual(await trial.updateAndRead('SET c = b - c, d = a - b, huge = :v', { ':v': { N: '0' } }), {
      a: { N: '2' },
      b: { N: '0.9' },
      c: { N: '-0.2' },
      d: { N: '1.1' },
      huge: { N: '0' },
    })
    expectEqual((await trial.updateAndRead('SET a = (a - :one)', { ':one': step[':one'] })).a, { N: '1' })
    expectEqual((await trial.updateAndRead('SET a = :x + :y', { ':x': { N: '1e20' }, ':y': { N: '1e-17' } })).a, {
      N: '100000000000000000000.00000000000000001',
    })
  },
  'if_not_exists returns the attribute if it exists, else its second operand': async bench => {
    const trial = await ItemTrial.of(bench, { a: { S: 'there' }, nothing: { NULL: true } })
    const given = { ':v': { S: 'default' }, ':n': { N: '5' }, ':one': { N: '1' } }
    expectEqual(
      await trial.updateAndRead(
        'SET a = if_not_exists(a, :v), b = if_not_exists(b, :v), c = if_not_exists(c, :n) + :one, ' +
          'd = if_not_exists(absent, a), nothing = if_not_exists(nothing, :v), e = if_not_exists(x, if_not_exists(y, :v))',
        given,
      ),
      {
        a: { S: 'there' },
        b: { S: 'default' },
        c: { N: '6' },
        d: { S: 'there' },
        nothing: { NULL: true },
        e: { S: 'default' },
      },
    )
  },
  'list_append joins lists in the order of its operands': async bench => {
    const trial = await ItemTrial.of(bench, { a: { L: [{ N: '1' }] } })
    const given = { ':v': { L: [{ S: 'x' }, { S: 'y' }] }, ':none': { L: [] } }
    expectEqual(
      await trial.updateAndRead(
        'SET a = list_append(a, :v), b = list_append(:v, a), c = list_append(if_not_exists(absent, :none), :v)',
        given,
      ),
      {
        a: { L: [{ N: '1' }, { S: 'x' }, { S: 'y' }] },
        b: { L: [{ S: 'x' }, { S: 'y' }, { N: '1' }] },
        c: { L: [{ S: 'x' }, { S: 'y' }] },
      },
    )
  },
  'REMOVE removes attributes and ignores missing ones': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' }, b: { N: '2' }, c: { N: '3' } })
    expectEqual(await trial.updateAndRead('REMOVE a, c, absent'), { b: { N: '2' } })
    expectEqual(await trial.updateAndRead('REMOVE absent'), { b: { N: '2' } })
    expectEqual(await trial.updateAndRead('REMOVE b'), {})
  },
  'an update that only removes whole attributes creates no item': async bench => {
    const trial = await ItemTrial.of(bench)
    const s = { ':s': { SS: ['a'] } }
    for (const removal of ['REMOVE a', 'REMOVE a, b']) await trial.update(removal)
    for (const removal of ['DELETE a :s', 'DELETE a :s REMOVE b']) await trial.update(removal, s)
    expectEqual(await trial.readAttributes(), undefined)
    expectEqual(await trial.updateAndRead('REMOVE a SET b = :s', s), { b: s[':s'] })
  },
  'an update that removes a nested path of an absent item is rejected': async bench => {
    const paths = ['a.b', 'a[0]', 'a.b.c', 'a[0].b', 'a.b, a.c', 'a[0], a[1]', 'x, a.b', 'a.b, x']
    for (const path of paths) {
      const trial = await ItemTrial.of(bench)
      await expectValidationError(
        trial.update(`REMOVE ${path}`),
        'The document path provided in the update expression is invalid for update',
      )
      expectEqual(await trial.readAttributes(), undefined)
    }
  },

  'ADD increments a number, and starts at zero if it is missing': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' } })
    expectEqual(await trial.updateAndRead('ADD a :v, b :w', { ':v': { N: '0.5' }, ':w': { N: '-2' } }), {
      a: { N: '1.5' },
      b: { N: '-2' },
    })
    const fresh = await ItemTrial.of(bench)
    expectEqual(await fresh.updateAndRead('ADD a :v', { ':v': { N: '7' } }), { a: { N: '7' } })
  },
  'ADD joins sets of every type': async bench => {
    const trial = await ItemTrial.of(bench, {
      s: { SS: ['a', 'b'] },
      n: { NS: ['1', '2'] },
      b: { BS: [Uint8Array.of(1)] },
    })
    const given = {
      ':s': { SS: ['b', 'c'] },
      ':n': { NS: ['2.0', '10'] },
      ':b': { BS: [Uint8Array.of(1), Uint8Array.of(2)] },
    }
    expectEqual(await trial.updateAndRead('ADD s :s, n :n, b :b, fresh :s', given), {
      s: { SS: ['a', 'b', 'c'] },
      n: { NS: ['1', '2', '10'] },
      b: { BS: [Uint8Array.of(1), Uint8Array.of(2)] },
      fresh: { SS: ['b', 'c'] },
    })
  },
  'DELETE removes members of sets, and the attribute with its last member': async bench => {
    const trial = await ItemTrial.of(bench, {
      s: { SS: ['a', 'b', 'c'] },
      n: { NS: ['1', '2'] },
      b: { BS: [Uint8Array.of(1), Uint8Array.of(2)] },
    })
    const given = { ':s': { SS: ['b', 'z'] }, ':n': { NS: ['2', '1.0'] }, ':b': { BS: [Uint8Array.of(2)] } }
    expectEqual(await trial.updateAndRead('DELETE s :s, n :n, b :b, absent :s', given), {
      s: { SS: ['a', 'c'] },
      b: { BS: [Uint8Array.of(1)] },
    })
    expectEqual(await trial.updateAndRead('DELETE s :v', { ':v': { SS: ['q'] } }), {
      s: { SS: ['a', 'c'] },
      b: { BS: [Uint8Array.of(1)] },
    })
  },
  'the four clauses can have any order, and their keywords any case': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' }, tags: { SS: ['x', 'y'] }, gone: { S: 'gone' } })
    const given = { ':x': { SS: ['x'] }, ':one': { N: '1' }, ':v': { S: 'new' } }
    expectEqual(await trial.updateAndRead('delete tags :x Remove gone\n add a :one sEt b = :v', given), {
      a: { N: '2' },
      b: { S: 'new' },
      tags: { SS: ['y'] },
    })
  },
  'an update that fails changes nothing': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' }, b: { S: 'text' } })
    await expectValidationError(
      trial.update('SET a = :v, c = :v ADD b :v', { ':v': { N: '2' } }),
      'An operand in the update expression has an incorrect data type',
    )
    expectEqual(await trial.readAttributes(), { a: { N: '1' }, b: { S: 'text' } })
  },
})
