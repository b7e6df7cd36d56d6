import { describe, expect, it } from 'vitest'
import { kindOf } from './findings.js'
import { judge, randomRound } from './round.js'
import { scriptOf } from './script.js'
import { shrunk } from './shrink.js'
import { ours, type Witness } from './sides/side.js'

const EXACT = { faults: [], words: true }
const CALLS = 100

/** Creates a witness that is an engine with changed outputs. */
function witnessThat(
  changes: (operation: string, request: Record<string, unknown>, answer: object) => object,
): Witness {
  const side = ours()
  return {
    name: 'dynoxide',
    send: async (operation, request) =>
      changes(operation, request as Record<string, unknown>, (await side.send(operation, request)) as object),
  }
}

const faithful = () => witnessThat((_, __, answer) => answer)

describe('fuzz test', () => {
  it('the same seed creates the same tables and calls, and another seed creates others', () => {
    expect(randomRound(5, 3, CALLS, true)).toEqual(randomRound(5, 3, CALLS, true))
    expect(randomRound(5, 3, CALLS, true)).not.toEqual(randomRound(6, 3, CALLS, true))
    expect(randomRound(5, 3, CALLS, true)).not.toEqual(randomRound(5, 4, CALLS, true))
  })

  it('two equal engines have no differences', async () => {
    for (let round = 0; round < 4; round++)
      expect(await judge(randomRound(1, round, CALLS, true), faithful(), EXACT)).toEqual([])
  })

  it.each([
    ['an answer', 'query', { Count: 99 }, 'query Count'],
    ['the capacity', 'updateItem', { ConsumedCapacity: { CapacityUnits: 99 } }, 'updateItem ConsumedCapacity'],
    ['the remaining items', 'scan', { Items: [] }, 'scan left'],
    ['a record of the stream', 'getRecords', { Records: [], NextShardIterator: undefined }, 'scan stream'],
  ])('a witness that is wrong in %s is found, and its round is shrunk', async (_, operation, wrong, kind) => {
    const lying = () => witnessThat((asked, __, answer) => (asked === operation ? { ...answer, ...wrong } : answer))
    const rounds = Array.from({ length: 20 }, (_, number) => randomRound(2, number, CALLS, true))
    const find = async (round: (typeof rounds)[number]) =>
      (await judge(round, lying(), EXACT)).find(seen => kindOf(seen) === kind)
    for (const round of rounds) {
      if (!(await find(round))) continue
      const small = await shrunk(round, find)
      expect(small.calls.length).toBeLessThanOrEqual(2)
      expect(await find(small)).toBeDefined()
      return
    }
    expect.unreachable('no round showed it')
  })

  it('a witness that rejects valid requests is found', async () => {
    const refusing = witnessThat((operation, request, answer) => {
      if (operation === 'putItem' && request.ConditionExpression === undefined && request.Expected === undefined)
        throw Object.assign(new Error('no'), { name: 'ValidationException' })
      return answer
    })
    const found = await judge(randomRound(3, 0, CALLS, true), refusing, EXACT)
    expect(found.map(kindOf)).toContain('putItem outcome: "answered"  <> "ValidationException" no')
  })

  it('exactly the differences that a listed fault explains are omitted', async () => {
    const round = randomRound(4, 0, CALLS, true)
    const lying = () => witnessThat((_, __, answer) => ('Count' in answer ? { ...answer, Count: 99 } : answer))
    const fault = {
      description: 'it cannot count queries',
      explains: ({ at, call }: { at: string; call: { operation: string } }) =>
        at === 'Count' && call.operation === 'query',
    }
    let explained = 0
    const found = await judge(round, lying(), { faults: [fault], words: true }, () => explained++)
    expect(explained).toBeGreaterThan(0)
    expect(new Set(found.map(kindOf))).toEqual(new Set(['scan Count']))
  })

  it('errors that describe other problems are reported when messages count, but not other wordings', async () => {
    const complaining = (words: string) => {
      const side = ours()
      const send: Witness['send'] = (operation, request) =>
        side.send(operation, request).catch((error: Error) => {
          if (error.name === 'ValidationException' && error.message.includes('Syntax error')) error.message = words
          throw error
        })
      return { name: 'dynoxide', send } as const
    }
    const ats = async (words: string, wordsCount: boolean) => {
      const lenient = { faults: [], words: wordsCount }
      const found = await Promise.all(
        [0, 1, 2].map(n => judge(randomRound(6, n, CALLS, true), complaining(words), lenient)),
      )
      return new Set(found.flat().map(({ at }) => at))
    }
    expect(await ats('ReturnValues can only be ALL_OLD or NONE', true)).toEqual(new Set(['message']))
    expect(await ats('ReturnValues can only be ALL_OLD or NONE', false)).toEqual(new Set())
    expect(await ats('The expression has redundant parentheses', true)).toEqual(new Set())
  })

  it('the printed program contains every table and call of a round', () => {
    const round = randomRound(5, 0, 5, true)
    const program = scriptOf(round, 'dynamodb-local')
    expect(program.match(/^await ask\(/gm)).toHaveLength(round.tables.length + round.calls.length)
    expect(program).toContain('process.env.DYNAMODB_LOCAL')
  })
})
