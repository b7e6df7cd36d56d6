import { format } from 'node:util'
import { beforeAll, describe, expect, it, vi } from 'vitest'

type Steps = typeof import('../../examples/people/nightly.js')['steps']

describe('the nightly jobs of people', () => {
  let steps: Steps
  let printed: string
  const resultOf = (what: string) => steps.find(step => step.what === what)!.value

  beforeAll(async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    ;({ steps } = await import('../../examples/people/nightly.js'))
    printed = log.mock.calls.map(values => format(...values)).join('\n')
    log.mockRestore()
  })

  it('the ranking writes each person once, and nothing for the same export', () => {
    expect(resultOf('Rank all people')).toMatchObject({ changed: 3, written: 3, ranBefore: false })
    expect(resultOf('A second run with the same export writes nothing')).toMatchObject({ written: 0, ranBefore: true })
  })

  it('people are read in the order of the ranking', () => {
    expect(resultOf('The best known people, by one Query')).toMatchObject([{ id: 'p1' }, { rank: expect.any(Number) }])
  })

  it('the validation finds damage of another program until a repair', () => {
    expect(resultOf('A validation of the next export finds nothing')).toMatchObject({ findings: 0, codes: {} })
    expect(resultOf('The next validation finds the damage')).toMatchObject({
      codes: { 'facet.orphan': 2, 'facet.missing': 2 },
    })
    expect(resultOf('The next validation finds nothing')).toMatchObject({ findings: 0, codes: {} })
  })

  // `vitest -u` updates the recorded output.
  it('prints the recorded output', async () => {
    await expect(printed).toMatchFileSnapshot('printed/nightly.txt')
  })
})
