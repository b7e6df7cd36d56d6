import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { Examples } from './docs/examples.js'

const FIRST_EXAMPLE_LINES_MAX = 24
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const texts = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, text]) => text!)
const examples = new Examples()

for (const [index, text] of texts.entries()) examples.add(`example-${index + 1}`, text)
afterAll(() => examples.remove())

describe("README's examples", () => {
  it('begin with one that is short', () => {
    expect(texts[0]?.trimEnd().split('\n').length).toBeLessThanOrEqual(FIRST_EXAMPLE_LINES_MAX)
  })

  it('compile under the strictest settings', { timeout: 60_000 }, () => {
    expect(examples.compilerOutput()).toBe('')
  })

  it.each(texts.map((text, index) => [index + 1, text] as const))('print what they say: %i', async (number, text) => {
    const { printed } = await examples.run(`example-${number}`)
    expect(printed).toEqual(Array.from(text.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm), ([, said]) => said))
  })
})
