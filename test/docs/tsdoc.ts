import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url))

/** An `@example` of a documentation comment. */
export interface TsdocExample {
  /** The file and the line of the comment's example. */
  readonly name: string
  readonly code: string
}

const COMMENT = /\/\*\*.*?\*\//gs
const EXAMPLE = /@example\b[^\n]*\n(.*?)(?=^\s*\*\s*@\w|\*\/)/gms
const BLOCK = /```ts\n(.*?)```/gs

/** Every `@example` in src, without the asterisks of its comment. */
export function tsdocExamples(): TsdocExample[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  return files
    .filter(file => file.endsWith('.ts'))
    .sort()
    .flatMap(file => examplesIn(file.replaceAll('\\', '/'), readFileSync(SOURCE + file, 'utf8')))
}

export function examplesIn(file: string, text: string): TsdocExample[] {
  return Array.from(text.matchAll(COMMENT)).flatMap(comment =>
    Array.from(comment[0].matchAll(EXAMPLE)).flatMap(example => {
      const line = text.slice(0, comment.index + example.index).split('\n').length
      const name = `${file.slice(0, -3)}-${line}`
      const blocks = [...example[1]!.replaceAll(/^\s*\* ?/gm, '').matchAll(BLOCK)]
      // An example without a block of code is found too, so that it is rejected.
      return (blocks.length > 0 ? blocks : [[]]).map(([, code = ''], at) => ({
        name: at === 0 ? name : `${name}-${at}`,
        code,
      }))
    }),
  )
}
